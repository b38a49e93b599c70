// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// Returns the weight, from 0 to 1000, of a media type in an Accept field (RFC 9110, 12.5.1).
/// `type` may have parameters: "text/html" or "text/html;level=1". Uses the most specific matching range, and the first
/// one of equal specificity. Returns 0 if no range matches. A range with parameters matches types that have all of
/// them. Ignores malformed ranges. A single `*`, which old clients send, means `*/*`. Returns an empty optional if the
/// field has no valid range; treat the field as absent then.
std::optional<unsigned> media_weight(std::string_view accept, std::string_view type) noexcept;

}  // namespace apus::codec::fields
