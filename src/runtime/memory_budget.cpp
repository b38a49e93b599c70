// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_budget.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace apus::runtime {
namespace {

constexpr unsigned granules = 64;  // parts of the usable budget
// sixteenths of the allowance above which each pressure becomes the next
constexpr unsigned rises_over[] = {12, 14, 15};
constexpr unsigned falls_to[] = {0, 10, 12, 14};  // sixteenths at or below which each pressure ends
constexpr std::uint64_t much = 16 << 20;          // a peak of this many bytes is always large

}  // namespace

memory_budget::memory_budget(std::uint64_t bytes, unsigned cores) noexcept
    : bytes_(bytes),
      guaranteed_(usable() / 2 / std::max(cores, 1U)),
      granule_(std::max<std::uint64_t>(usable() / granules, 1)),
      spare_((usable() - guaranteed_ * std::max(cores, 1U)) / granule_) {}

bool memory_budget::take() noexcept {
    std::uint64_t left = spare_.load(std::memory_order_relaxed);
    while (left && !spare_.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) {}
    return left != 0;
}

void memory_budget::give(std::uint64_t count) noexcept { spare_.fetch_add(count, std::memory_order_relaxed); }

core_memory::~core_memory() {
    assert(used_ == 0);
    if (leased_) budget_->give(leased_);
}

void core_memory::use(memory_budget& b) noexcept {
    assert(!budget_);
    budget_ = &b;
    allowance_ = b.guaranteed();
    rise();
    set_marks();
}

void core_memory::rise() noexcept {
    if (!budget_) return;
    peak_ = std::max<std::uint64_t>(peak_, used_);
    // Under pressure, leases as many granules as are needed to end the pressure.
    const unsigned enough = pressure_ == memory_pressure::none ? rises_over[0] : falls_to[1];
    while (used_ > sixteenths(enough) && budget_->take()) {
        ++leased_;
        allowance_ += budget_->granule();
    }
    memory_pressure now = pressure_;
    while (now != memory_pressure::cutting && used_ > sixteenths(rises_over[std::to_underlying(now)]))
        now = static_cast<memory_pressure>(std::to_underlying(now) + 1);
    set(now);
}

void core_memory::fall() noexcept {
    if (!budget_) return;
    memory_pressure now = pressure_;
    while (now != memory_pressure::none && used_ <= sixteenths(falls_to[std::to_underlying(now)]))
        now = static_cast<memory_pressure>(std::to_underlying(now) - 1);
    // Keeps a reserve, so that memory use can grow by half before the core must lease again.
    std::uint64_t spare = 0;
    while (now == memory_pressure::none && leased_ && used_ < (allowance_ - budget_->granule()) / 2) {
        ++spare, --leased_;
        allowance_ -= budget_->granule();
    }
    if (spare) budget_->give(spare);
    const bool eased = peak_ >= large_use() && used_ < peak_ / 4;
    if (eased) peak_ = used_;
    set(now, eased);
}

std::uint64_t core_memory::large_use() const noexcept { return std::min(sixteenths(1), much); }

void core_memory::set_marks() noexcept {
    const auto now = std::to_underlying(pressure_);
    rise_at_ = pressure_ == memory_pressure::cutting ? ~std::uint64_t{0} : sixteenths(rises_over[now]);
    if (now) {
        fall_at_ = sixteenths(falls_to[now]) + 1;
        return;
    }
    rise_at_ = std::min(rise_at_, peak_ + large_use() / 2);
    fall_at_ = leased_ ? (allowance_ - budget_->granule()) / 2 : 0;
    if (peak_ >= large_use()) fall_at_ = std::max(fall_at_, peak_ / 4);
}

void core_memory::set(memory_pressure now, bool eased) noexcept {
    const bool changed = std::exchange(pressure_, now) != now || eased;
    set_marks();
    if (changed && listener_.changed) listener_.changed(listener_.with);
}

}  // namespace apus::runtime
