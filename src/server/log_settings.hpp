// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/log_line.hpp"

#include <optional>
#include <string_view>

namespace apus::server {

/// What APUS_LOG says: words with commas between them, each a level or a format.
struct log_settings {
    log::level least = log::level::info;
    std::optional<log_format> format;  ///< Not said: logfmt on a terminal, else JSON.
};

/// Nothing if a word is neither. An empty text says nothing, which is allowed.
std::optional<log_settings> read_log_settings(std::string_view text) noexcept;

}  // namespace apus::server
