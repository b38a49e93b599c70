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

/// Output queue of a socket.
/// Small pieces are copied; large strings are moved into the queue and sent without a copy.
class outgoing {
public:
    void append(std::string_view bytes);  ///< Copies.
    void append(std::string&& bytes);
    void append_static(std::string_view bytes);                        ///< Neither copies nor owns the bytes.
    void append_file(file_ref, std::uint64_t at, std::uint64_t size);  ///< `size` bytes of a file, from offset `at`.
    void prepend(std::string_view bytes);                              ///< Copies. No send request may be pending.

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }      ///< Unsent bytes.
    std::size_t memory() const noexcept { return memory_; }  ///< Bytes of memory in use, this object included.

    bool holds_file() const noexcept { return files_ != 0; }

    /// Returns up to sixteen pieces of memory at the front, at most `most` bytes.
    /// The `msghdr` is valid until the next append or consume; the pieces are valid until they are consumed.
    msghdr& front(std::size_t most) noexcept;
    void consume(std::size_t sent) noexcept;

    /// Returns the bytes at the front, at most the size of `room`.
    /// If the first piece is long enough, the result refers to it. Otherwise bytes, also of files, are copied into
    /// `room`. Valid until consumed. Empty if a file was truncated or cannot be read.
    std::string_view gather(std::span<char> room) noexcept;

    /// Sends at most `most` bytes from the front to a non-blocking socket.
    /// Calls `sendmsg` or, for a file, `sendfile`, and returns the result. Fails with EIO if the file was truncated.
    ssize_t send_front(int socket, std::size_t most) noexcept;

private:
    struct segment {
        std::string owned;
        std::string_view bytes;  // in `owned`, or static
        bool sealed;             // pending in the kernel, or moved in: do not append to it
        file_ref file = nullptr;
        std::uint64_t at = 0, left = 0;  // unsent range of the file

        std::size_t size() const noexcept { return file ? left : bytes.size(); }
    };
    static constexpr std::size_t pieces = 16;

    std::deque<segment> segments_;
    segment& add(segment);
    void drop_first() noexcept;

    // Memory of this object and of the first block of the list.
    static constexpr std::size_t own_memory = 1024;
    std::size_t size_ = 0;
    std::size_t memory_ = own_memory;
    std::size_t files_ = 0;
    iovec vectors_[pieces];
    msghdr header_{};
};

}  // namespace apus::runtime
