// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// The weight, from 0 to 1000, that the value of Accept (RFC 9110, 12.5.1) gives to a media type such
/// as "text/html" or "text/html;level=1": that of the most specific range which matches it, of those
/// as specific the first, and 0 if none does. A range with parameters matches what has them all.
///
/// What is no range is passed over, and a lone `*` is taken for `*/*`, as old clients mean it.
/// Nothing if no range is left: such a field says no more than none.
std::optional<unsigned> media_weight(std::string_view accept, std::string_view type) noexcept;

}  // namespace apus::codec::fields
