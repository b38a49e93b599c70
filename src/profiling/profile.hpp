// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiling/symbols.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::profiling {

/// A profile in the format of pprof: a gzip file with a `perftools.profiles.Profile` message.
/// Functions have names from the symbol tables of this process, so that pprof needs no other file.
class profile {
public:
    struct value_type {
        std::string_view type, unit;
    };
    struct label {
        std::string_view key, text;
    };

    /// The names must not be refreshed before the profile is finished.
    profile(std::span<const value_type> values, symbols& names);

    /// Adds a sample: a stack, innermost function first, with one number for each value type.
    /// Addresses outside of the program and its libraries are left out. Labels with an empty text too.
    void add(std::span<const std::uintptr_t> stack, std::span<const std::int64_t> numbers,
             std::span<const label> labels);
    /// Adds a sample whose stack is one function with this name, for time that no code has used.
    void add(std::string_view function, std::span<const std::int64_t> numbers, std::span<const label> labels);

    void comment(std::string_view);                                      ///< Text that `pprof -comments` shows.
    void period(value_type, std::int64_t);                               ///< Meaning of a sample.
    void time(std::int64_t unix_nanoseconds, std::int64_t nanoseconds);  ///< When the profile began, and its duration.

    /// Returns the file. At most once.
    std::string finish() &&;

private:
    std::uint64_t text(std::string_view);
    std::uint64_t function(std::string_view mangled);
    std::uint64_t location(std::uintptr_t address);
    std::uint64_t module_number(const symbols::module&);
    void append_sample(std::span<const std::uint64_t> locations, std::span<const std::int64_t> numbers,
                       std::span<const label>);

    symbols& symbols_;
    std::string message_;
    std::map<std::string, std::uint64_t, std::less<>> texts_;
    std::vector<std::string_view> texts_in_order_;
    std::map<std::string, std::uint64_t, std::less<>> functions_;
    std::map<std::uintptr_t, std::uint64_t> locations_;  // 0: outside of all modules
    std::uint64_t next_location_ = 1;
    std::map<const symbols::module*, std::uint64_t> modules_;
};

/// Returns a gzip file with these bytes.
/// They are stored, not compressed, since zlib is not a part of every program.
std::string stored_gzip(std::string_view bytes);

}  // namespace apus::profiling
