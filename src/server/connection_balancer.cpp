// SPDX-License-Identifier: Apache-2.0
#include "server/connection_balancer.hpp"

#include <cstring>

#include <netinet/in.h>
#include <sys/socket.h>

namespace apus::server {

unsigned connection_balancer::place(unsigned mine, bool may_hand_over) noexcept {
    unsigned to = mine;
    if (may_hand_over && open_.size() > 1) {
        unsigned least = mine;
        for (unsigned i = 0; i < open_.size(); ++i)
            if (open_[i].count.load(std::memory_order_relaxed) < open_[least].count.load(std::memory_order_relaxed))
                least = i;
        auto few = open_[least].count.load(std::memory_order_relaxed);
        // Moving a connection costs a wake-up of the other core, so differences up to an eighth are tolerated.
        if (open_[mine].count.load(std::memory_order_relaxed) > few + few / 8) to = least;
    }
    open_[to].count.fetch_add(1, std::memory_order_relaxed);
    return to;
}

std::uint64_t connection_balancer::total() const noexcept {
    std::uint64_t n = 0;
    for (auto& s : open_) n += s.count.load(std::memory_order_relaxed);
    return n;
}

bool connection_balancer::enter_address(std::uint64_t key, std::uint32_t most) {
    std::lock_guard lock(mutex_);
    auto& n = by_address_[key];
    if (n >= most) return false;
    ++n;
    return true;
}

void connection_balancer::leave_address(std::uint64_t key) {
    std::lock_guard lock(mutex_);
    auto at = by_address_.find(key);
    if (--at->second == 0) by_address_.erase(at);
}

std::uint64_t address_key(const unsigned char* address, bool ip6) noexcept {
    static constexpr unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    const bool holds_ip4 = ip6 && std::memcmp(address, mapped, sizeof mapped) == 0;
    if (!ip6 || holds_ip4) {
        std::uint32_t v4;
        std::memcpy(&v4, address + (holds_ip4 ? sizeof mapped : 0), sizeof v4);
        return v4 | std::uint64_t{1} << 32;
    }
    std::uint64_t network;
    std::memcpy(&network, address, sizeof network);
    return network | std::uint64_t{1} << 63;
}

std::uint64_t address_key(int fd) noexcept {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return 0;
    if (peer.ss_family == AF_INET)
        return address_key(reinterpret_cast<unsigned char*>(&reinterpret_cast<sockaddr_in&>(peer).sin_addr), false);
    if (peer.ss_family != AF_INET6) return 0;
    return address_key(reinterpret_cast<sockaddr_in6&>(peer).sin6_addr.s6_addr, true);
}

}  // namespace apus::server
