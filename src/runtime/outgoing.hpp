// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <sys/uio.h>

namespace apus::runtime {

/// Bytes that wait for a socket, in order: copies of small pieces, and big strings that are moved
/// in and sent from where they are.
class outgoing {
public:
    void append(std::string_view bytes);    ///< Copies.
    void append(std::string&& bytes);
    void append_static(std::string_view bytes);  ///< Neither copies nor owns.
    void prepend(std::string_view bytes);        ///< Copies. Only while no request to send is under way.

    bool empty() const noexcept { return size_ == 0; }
    std::size_t size() const noexcept { return size_; }  ///< Bytes unsent.

    /// Up to sixteen pieces from the front. Valid until something is appended or consumed; the
    /// pieces themselves stay where they are until consumed.
    msghdr& front() noexcept;
    void consume(std::size_t sent) noexcept;

private:
    struct segment {
        std::string owned;
        std::string_view bytes;  // of `owned`, or static
        bool sealed;             // is being sent, or is not ours to append to
    };
    static constexpr std::size_t pieces = 16;

    std::deque<segment> segments_;
    std::size_t size_ = 0;
    iovec vectors_[pieces];
    msghdr header_{};
};

}  // namespace apus::runtime
