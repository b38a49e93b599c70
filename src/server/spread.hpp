// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace apus::server {

/// How many connections each core has. The kernel spreads them by a hash, which leaves one core
/// with more; a core that has clearly more than another hands the next one over. Looked at when a
/// connection opens or closes, never for a request. Safe from any core.
class spread {
public:
    explicit spread(unsigned cores) : open_(cores) {}

    /// Counts a connection that `mine` accepted, and says whose it shall be.
    unsigned place(unsigned mine, bool may_hand_over) noexcept;
    void left(unsigned core) noexcept { open_[core].count.fetch_sub(1, std::memory_order_relaxed); }
    std::uint64_t total() const noexcept;

    /// Counts a connection of an address; false if that would be more than `most`.
    bool enter_address(std::uint64_t key, std::uint32_t most);
    void leave_address(std::uint64_t key);

private:
    struct alignas(64) slot {
        std::atomic<std::uint32_t> count = 0;
    };
    std::vector<slot> open_;
    std::mutex mutex_;  // only where connections of an address are limited
    std::unordered_map<std::uint64_t, std::uint32_t> by_address_;
};

/// A key for the IP address of a connected socket: equal for equal addresses, 0 for a Unix socket.
/// The networks of IPv6 are counted whole (/64), since one host may have all of such a network.
std::uint64_t address_key(int fd) noexcept;

/// The same for 4 bytes of IPv4, or 16 of IPv6.
std::uint64_t address_key(const unsigned char* address, bool ip6) noexcept;

}  // namespace apus::server
