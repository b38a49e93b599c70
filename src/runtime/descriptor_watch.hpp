// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace apus::runtime {

/// Directions in which a descriptor is ready.
enum class readiness : std::uint8_t {
    none = 0,
    in = 1,
    out = 2,
    both = 3,
};

constexpr bool has(readiness all, readiness one) noexcept {
    return (static_cast<unsigned>(all) & static_cast<unsigned>(one)) != 0;
}

/// Watches a descriptor that other code reads and writes, such as the socket of a client library.
/// Belongs to one loop; see `backend::watch`.
class descriptor_watch {
public:
    explicit descriptor_watch(int fd) noexcept : fd_(fd) {}
    descriptor_watch(const descriptor_watch&) = delete;
    descriptor_watch& operator=(const descriptor_watch&) = delete;

    /// Called in each turn in which the descriptor is ready for a watched event.
    /// Errors and hang-ups set all watched events. The implementation may change the watched events, or end the watch
    /// and destroy this object.
    virtual void ready(readiness) = 0;

    int fd() const noexcept { return fd_; }

protected:
    ~descriptor_watch() = default;  // first call `backend::watch(*this, readiness::none)`

private:
    friend class backend;
    friend class epoll_backend;
    friend class uring_backend;

    int fd_;
    struct watch_slot* slot_ = nullptr;  // null: not watched
};

/// The object to which kernel events of a watch refer. Destroyed when no event can refer to it.
struct watch_slot {
    descriptor_watch* of;  // null: no longer watched
    readiness wanted;
    bool armed = false;  // io_uring: a poll request is pending
};

}  // namespace apus::runtime
