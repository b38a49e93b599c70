// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace apus::server {

/// A number in the digits that `std::to_chars` writes, without allocation.
class number_text {
public:
    explicit number_text(std::uint64_t value, int base = 10) noexcept;
    std::string_view view() const noexcept { return {digits_, size_}; }
    operator std::string_view() const noexcept { return view(); }

private:
    char digits_[24];
    std::size_t size_;
};

/// Writes a crash report (codec/crash/report.hpp) in a signal handler: neither allocates nor locks.
class crash_file {
public:
    /// Creates `NAME-TIME-PROCESS.crash` in the folder of this descriptor, for its owner only.
    /// Writes nothing if the descriptor is -1, or if the file exists.
    crash_file(int folder, std::string_view program_name, std::uint64_t unix_seconds) noexcept;
    crash_file(const crash_file&) = delete;
    crash_file& operator=(const crash_file&) = delete;
    ~crash_file();  ///< Writes the last line.

    void add(std::string_view key, std::initializer_list<std::string_view> fields) noexcept;
    bool open() const noexcept { return fd_ >= 0; }

private:
    void write_all(std::string_view) noexcept;

    int fd_ = -1;
};

/// Removes the oldest reports of the program in this folder, so that at most 50 are left.
/// Not for signal handlers.
void remove_old_reports(int folder, std::string_view program_name);

}  // namespace apus::server
