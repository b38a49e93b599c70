// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/retry_after.hpp"

#include "base/ascii.hpp"
#include "codec/fields/date.hpp"

#include <algorithm>

namespace apus::codec::fields {

std::optional<std::int64_t> read_retry_after(std::string_view text, std::int64_t now) noexcept {
    if (text.empty()) return std::nullopt;
    if (std::ranges::all_of(text, base::is_digit)) {
        std::int64_t seconds = 0;
        for (const char c : text) seconds = std::min(seconds * 10 + (c - '0'), max_retry_after);
        return seconds;
    }
    const auto date = read_date(text, now);
    if (!date) return std::nullopt;
    return std::clamp<std::int64_t>(*date - now, 0, max_retry_after);
}

}  // namespace apus::codec::fields
