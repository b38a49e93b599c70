// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/file.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <sys/uio.h>

namespace apus::runtime {

/// Bytes that wait for a socket, in order: copies of small pieces, and big strings that are moved
/// in and sent from where they are.
class outgoing {
public:
    void append(std::string_view bytes);  ///< Copies.
    void append(std::string&& bytes);
    void append_static(std::string_view bytes);                        ///< Neither copies nor owns.
    void append_file(file_ref, std::uint64_t at, std::uint64_t size);  ///< So many bytes of a file, from `at` on.
    void prepend(std::string_view bytes);  ///< Copies. Only while no request to send is under way.

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }      ///< Bytes unsent.
    std::size_t memory() const noexcept { return memory_; }  ///< Bytes that it owns for them, itself included.

    bool holds_file() const noexcept { return files_ != 0; }

    /// Up to sixteen pieces from the front that are in memory, `most` bytes of them. Valid until something is appended
    /// or consumed; the pieces themselves stay where they are until consumed.
    msghdr& front(std::size_t most) noexcept;
    void consume(std::size_t sent) noexcept;

    /// The bytes at the front, at most as many as `room` holds: where they are, if the first piece
    /// alone is that long, else put together in `room`, with those of files. Until consumed. Empty:
    /// a file has become shorter, or cannot be read.
    std::string_view gather(std::span<char> room) noexcept;

    /// Gives at most `most` bytes of the front to a socket that does not wait: as `sendmsg` or, of a
    /// file, `sendfile`. A file that has become shorter is EIO.
    ssize_t send_front(int socket, std::size_t most) noexcept;

private:
    struct segment {
        std::string owned;
        std::string_view bytes;  // of `owned`, or static
        bool sealed;             // is being sent, or is not ours to append to
        file_ref file = nullptr;
        std::uint64_t at = 0, left = 0;  // of the file

        std::size_t size() const noexcept { return file ? left : bytes.size(); }
    };
    static constexpr std::size_t pieces = 16;

    std::deque<segment> segments_;
    segment& add(segment);
    void drop_first() noexcept;

    // Of the object, and of the first piece of memory of the list.
    static constexpr std::size_t own_memory = 1024;
    std::size_t size_ = 0;
    std::size_t memory_ = own_memory;
    std::size_t files_ = 0;
    iovec vectors_[pieces];
    msghdr header_{};
};

}  // namespace apus::runtime
