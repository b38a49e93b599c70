// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <system_error>

#include "options.hpp"
#include "poller.hpp"
#include "ring.hpp"

namespace load {

/// Returns io_uring, or epoll if the kernel is too old or forbids io_uring, as most containers do.
inline io way_that_works() {
    try {
        ring tried(1);
        return io::uring;
    } catch (const std::system_error&) {
        return io::epoll;
    }
}

/// One thread's sockets, on io_uring or epoll. `ring` documents the members.
class network {
public:
    network(io way, unsigned connections) {
        if (way == io::uring) ring_.emplace(connections);
        else poller_.emplace(connections);
    }

    void attach(std::uint32_t slot, int descriptor) {
        by_either([=](auto& way) { way.attach(slot, descriptor); });
    }
    void connect(std::uint32_t slot, const sockaddr_in& address) {
        by_either([&](auto& way) { way.connect(slot, address); });
    }
    void receive(std::uint32_t slot) {
        by_either([=](auto& way) { way.receive(slot); });
    }
    void receive_once(std::uint32_t slot) {
        by_either([=](auto& way) { way.receive_once(slot); });
    }
    void discard(std::uint32_t slot, std::uint64_t bytes) {
        by_either([=](auto& way) { way.discard(slot, bytes); });
    }
    void stop_receiving(std::uint32_t slot) {
        by_either([=](auto& way) { way.stop_receiving(slot); });
    }
    void send(std::uint32_t slot, std::string_view bytes) {
        by_either([=](auto& way) { way.send(slot, bytes); });
    }
    void wait(std::uint64_t nanoseconds) {
        by_either([=](auto& way) { way.wait(nanoseconds); });
    }
    template <class Callback>
    void each_event(Callback&& callback) {
        by_either([&](auto& way) { way.each_event(callback); });
    }

private:
    template <class Call>
    void by_either(Call&& call) {
        if (ring_) [[likely]]
            call(*ring_);
        else call(*poller_);
    }

    std::optional<ring> ring_;
    std::optional<poller> poller_;
};

}  // namespace load
