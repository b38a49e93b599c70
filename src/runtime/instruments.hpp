// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/counter.hpp"
#include "base/duration_counts.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Numbers that libraries report in `/metrics`, such as the statements of a database. Each core has its own numbers, so
// an update takes no lock. A core that uses no library has none.

namespace apus::runtime {

/// A number of a library, with its name in `/metrics`.
struct instrument {
    enum class type : std::uint8_t {
        counter,
        seconds,   ///< A counter of nanoseconds, written as seconds.
        gauge,     ///< May be increased on one core and decreased on another one.
        durations  ///< A histogram with fixed and native buckets.
    };

    std::string_view name, help;
    type of;
    unsigned cell;                  ///< Index among the cells of its set; of a histogram, among its histograms.
    std::string_view label, value;  ///< A label that distinguishes instruments of one name. May be empty.

    static constexpr instrument counter(std::string_view name, std::string_view help, unsigned cell,
                                        std::string_view label = {}, std::string_view value = {}) {
        return {name, help, type::counter, cell, label, value};
    }
    static constexpr instrument seconds(std::string_view name, std::string_view help, unsigned cell) {
        return {name, help, type::seconds, cell, {}, {}};
    }
    static constexpr instrument gauge(std::string_view name, std::string_view help, unsigned cell,
                                      std::string_view label = {}, std::string_view value = {}) {
        return {name, help, type::gauge, cell, label, value};
    }
    static constexpr instrument durations(std::string_view name, std::string_view help, unsigned histogram) {
        return {name, help, type::durations, histogram, {}, {}};
    }
};

/// The instruments of a library.
/// A constant in the library, so that programs without the library do not contain it.
struct instrument_set {
    std::span<const std::string_view> labels;  ///< Up to two labels, whose values identify an `instrument_group`.
    std::span<const instrument> all;           ///< Instruments of one name are adjacent.
    unsigned cells;

    constexpr std::size_t histograms() const {
        std::size_t found = 0;
        for (const auto& each : all) found += each.of == instrument::type::durations ? 1 : 0;
        return found;
    }
};

/// The numbers of a set on one core, for one object of the library, such as a database.
/// Written by that core only, read by any thread.
class instrument_group {
public:
    instrument_group(const instrument_set&, std::initializer_list<std::string_view> labels);

    void add(unsigned cell, std::uint64_t n = 1) noexcept { cells_[cell] += n; }
    /// Decreases a gauge.
    void subtract(unsigned cell, std::uint64_t n = 1) noexcept { cells_[cell] += std::uint64_t{0} - n; }
    /// Adds a duration to a histogram. The first one allocates the native buckets: 2 KiB.
    void observe(unsigned histogram, std::uint64_t nanoseconds) noexcept {
        histograms_[histogram].add(base::duration_counts::place(nanoseconds), nanoseconds, 1);
    }

    const instrument_set& set() const noexcept { return set_; }
    const std::vector<std::string>& labels() const noexcept { return labels_; }
    std::uint64_t load(unsigned cell) const noexcept { return cells_[cell]; }
    const base::duration_counts& durations(unsigned histogram) const noexcept { return histograms_[histogram]; }

private:
    friend class instrument_list;

    const instrument_set& set_;
    std::vector<std::string> labels_;
    std::unique_ptr<base::counter[]> cells_;
    std::unique_ptr<base::duration_counts[]> histograms_;
    std::atomic<instrument_group*> next_ = nullptr;
};

/// The groups of one core. Groups are never removed, so that counters do not decrease.
class instrument_list {
public:
    /// Maximum groups of one set. Further groups have the value `other` for each label.
    static constexpr std::size_t max_groups = 64;

    instrument_list() = default;
    instrument_list(const instrument_list&) = delete;
    instrument_list& operator=(const instrument_list&) = delete;
    ~instrument_list();

    /// Returns the group with these labels, which is created on first use. On the core's thread only.
    /// Values of labels must be chosen by the program, not by clients. The reference is valid until the loop ends.
    instrument_group& of(const instrument_set&, std::initializer_list<std::string_view> labels = {});

    /// Calls `read(group)` for each group. From any thread.
    template <class F>
    void each(F read) const {
        for (const auto* g = first_.load(std::memory_order_acquire); g; g = g->next_.load(std::memory_order_acquire))
            read(*g);
    }

private:
    std::atomic<instrument_group*> first_ = nullptr;
};

}  // namespace apus::runtime
