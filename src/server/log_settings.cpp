// SPDX-License-Identifier: Apache-2.0
#include "server/log_settings.hpp"

#include <algorithm>

namespace apus::server {
namespace {

struct level_word {
    std::string_view word;
    log::level level;
};

constexpr level_word level_words[] = {
    {"trace", log::level::trace}, {"debug", log::level::debug}, {"info", log::level::info},
    {"warn", log::level::warn},   {"error", log::level::error}, {"off", log::level::off},
};

bool take(std::string_view word, log_settings& into) {
    if (word == "json") return into.format = log_format::json, true;
    if (word == "logfmt") return into.format = log_format::logfmt, true;
    for (auto& l : level_words)
        if (word == l.word) return into.least = l.level, true;
    return word.empty();
}

}  // namespace

std::optional<log_settings> read_log_settings(std::string_view text) noexcept {
    log_settings settings;
    for (;;) {
        const std::size_t end = std::min(text.find(','), text.size());
        if (!take(text.substr(0, end), settings)) return std::nullopt;
        if (end == text.size()) return settings;
        text.remove_prefix(end + 1);
    }
}

}  // namespace apus::server
