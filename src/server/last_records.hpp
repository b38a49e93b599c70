// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/log.hpp>

#include <span>
#include <string_view>

namespace apus::server {

/// Returns how many records the log has dropped so far.
std::uint64_t dropped_records() noexcept;

/// Waits until all earlier records are written, for at most 1 s in total over all calls.
void write_last_records() noexcept;

/// Writes a record of level error at once. For signal handlers that run before the process ends.
void write_crash_record(std::string_view message, std::span<const log::field> fields) noexcept;

}  // namespace apus::server
