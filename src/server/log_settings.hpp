// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/log_line.hpp"

#include <optional>
#include <string_view>

namespace apus::server {

/// Parsed APUS_LOG: comma-separated words, each a level or a format.
struct log_settings {
    log::level least = log::level::info;
    std::optional<log_format> format;  ///< Not set: logfmt on a terminal, otherwise JSON.
};

/// Returns nullopt if a word is unknown. An empty text is valid.
std::optional<log_settings> read_log_settings(std::string_view text) noexcept;

}  // namespace apus::server
