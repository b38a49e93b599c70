// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/log.hpp>

#include <span>
#include <string_view>

namespace apus::server {

/// Waits until the records so far have been written, for at most 1 s in all calls together.
void write_last_records() noexcept;

/// Writes a record of level error at once. For handlers of signals that end the process.
void write_crash_record(std::string_view message, std::span<const log::field> fields) noexcept;

}  // namespace apus::server
