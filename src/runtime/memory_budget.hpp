// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace apus::runtime {

/// Memory limit of all cores of a process, in bytes.
/// A quarter is reserved for uncounted memory: fragmentation of the allocator, code, stacks. Half of the rest is
/// guaranteed to the cores in equal parts, so that no core can starve another. The cores lease the other half in
/// granules. Thread-safe. Must outlive the accounts that use it.
class memory_budget {
public:
    memory_budget(std::uint64_t bytes, unsigned cores) noexcept;
    memory_budget(const memory_budget&) = delete;
    memory_budget& operator=(const memory_budget&) = delete;

    std::uint64_t bytes() const noexcept { return bytes_; }
    std::uint64_t usable() const noexcept { return bytes_ / 4 * 3; }
    std::uint64_t guaranteed() const noexcept { return guaranteed_; }  ///< Bytes reserved for each core.
    std::uint64_t granule() const noexcept { return granule_; }        ///< Bytes per lease.
    std::uint64_t spare() const noexcept { return spare_.load(std::memory_order_relaxed) * granule_; }

    bool take() noexcept;  ///< Leases a granule. Returns false if none is left.
    void give(std::uint64_t granules) noexcept;

private:
    const std::uint64_t bytes_, guaranteed_, granule_;
    alignas(64) std::atomic<std::uint64_t> spare_;  // granules
};

/// How close a core is to its memory limit.
/// Each level begins above a share of the limit, and ends when memory use falls to a lower share.
enum class memory_pressure : std::uint8_t {
    none,
    holding,   ///< Above 3/4, until 5/8: pauses input of the connections that hold the most memory.
    refusing,  ///< Above 7/8, until 3/4: rejects new requests.
    cutting,   ///< Above 15/16, until 7/8: closes connections.
};

/// Account of the memory in use by one core, in bytes.
/// It consists of plain integers of the core's thread. The budget of the process is accessed only to lease or return a
/// granule.
class core_memory {
public:
    core_memory() = default;  ///< Counts, without a budget.
    core_memory(const core_memory&) = delete;
    core_memory& operator=(const core_memory&) = delete;
    ~core_memory();  ///< All added bytes must have been removed.

    void use(memory_budget&) noexcept;  ///< Sets the budget. Once, on the core's thread.

    void add(std::size_t bytes) noexcept {
        const std::uint64_t used = used_ + bytes;
        used_.set(used);
        if (used > rise_at_) [[unlikely]]
            rise();
    }
    void remove(std::size_t bytes) noexcept {
        const std::uint64_t used = used_ - bytes;
        used_.set(used);
        if (used < fall_at_) [[unlikely]]
            fall();
    }

    std::uint64_t used() const noexcept { return used_; }            ///< Any thread.
    std::uint64_t allowance() const noexcept { return allowance_; }  ///< Bytes that the core may use, with its leases.
    memory_pressure pressure() const noexcept { return pressure_; }

    /// Maximum bytes for one request.
    /// This is 5/8 of the memory that this core can have; the rest is a reserve for other requests.
    std::uint64_t most() const noexcept {
        return budget_ ? sixteenths(10) + budget_->spare() / 16 * 10 : ~std::uint64_t{0};
    }

    /// Freed bytes that the allocator may keep: half of the reserve of the process.
    std::uint64_t most_fragmentation() const noexcept { return budget_ ? budget_->bytes() / 8 : ~std::uint64_t{0}; }

    /// Tries to lease more, because another core may have returned a granule.
    /// Needed only under pressure.
    void retry() noexcept {
        rise();
        fall();
    }

    /// Called when the pressure changes, or when memory use has fallen below a quarter of a large peak.
    /// The call runs within `add`, `remove` or `retry`.
    struct listener {
        void (*changed)(void* with) noexcept = nullptr;
        void* with = nullptr;
    };
    void notify(listener l) noexcept { listener_ = l; }

private:
    std::uint64_t sixteenths(unsigned n) const noexcept { return allowance_ / 16 * n; }
    std::uint64_t large_use() const noexcept;  // bytes from which a peak is large
    void rise() noexcept;
    void fall() noexcept;
    void set_marks() noexcept;
    void set(memory_pressure, bool eased = false) noexcept;

    base::counter used_;
    std::uint64_t rise_at_ = ~std::uint64_t{0};
    std::uint64_t fall_at_ = 0;
    std::uint64_t allowance_ = ~std::uint64_t{0};
    std::uint64_t peak_ = 0;    // approximate maximum of `used_` since it last fell below a quarter of a large peak
    std::uint64_t leased_ = 0;  // granules
    memory_pressure pressure_ = memory_pressure::none;
    memory_budget* budget_ = nullptr;
    listener listener_;
};

/// Counts bytes in a core's account until this object is destroyed.
class memory_charge {
public:
    explicit memory_charge(core_memory& of, std::size_t bytes = 0) noexcept : of_(of) { set(bytes); }
    memory_charge(const memory_charge&) = delete;
    memory_charge& operator=(const memory_charge&) = delete;
    ~memory_charge() { set(0); }

    void set(std::size_t bytes) noexcept {
        if (bytes > bytes_) of_.add(bytes - bytes_);
        else if (bytes < bytes_) of_.remove(bytes_ - bytes);
        bytes_ = bytes;
    }
    std::size_t bytes() const noexcept { return bytes_; }
    core_memory& account() const noexcept { return of_; }

private:
    core_memory& of_;
    std::size_t bytes_ = 0;
};

}  // namespace apus::runtime
