// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace apus::server {

/// Counts the connections of each core, and selects the core for a new connection.
/// The kernel distributes connections by a hash, so some cores get more than others. A core that accepts a connection
/// hands it to the core with the fewest connections, if the accepting core has over an eighth more connections than
/// that core. Used when connections open and close, never per request. Thread-safe.
class connection_balancer {
public:
    explicit connection_balancer(unsigned cores) : open_(cores) {}

    /// Counts a connection accepted by core `mine`, and returns the core that serves the connection.
    unsigned place(unsigned mine, bool may_hand_over) noexcept;
    void left(unsigned core) noexcept { open_[core].count.fetch_sub(1, std::memory_order_relaxed); }
    std::uint64_t total() const noexcept;

    /// Counts a connection of an address; returns false if that would exceed `most`.
    bool enter_address(std::uint64_t key, std::uint32_t most);
    void leave_address(std::uint64_t key);

private:
    struct alignas(64) slot {
        std::atomic<std::uint32_t> count = 0;
    };
    std::vector<slot> open_;
    std::mutex mutex_;  // used only if connections per address are limited
    std::unordered_map<std::uint64_t, std::uint32_t> by_address_;
};

/// Returns a key of the peer's IP address; equal addresses have equal keys.
/// Returns 0 for a Unix socket.
/// IPv6 addresses are reduced to their /64, since one host may own the whole /64.
std::uint64_t address_key(int fd) noexcept;

/// Returns the same key for 4 bytes of IPv4, or 16 bytes of IPv6.
std::uint64_t address_key(const unsigned char* address, bool ip6) noexcept;

}  // namespace apus::server
