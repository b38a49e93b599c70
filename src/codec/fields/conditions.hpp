// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/entity_tag.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// The fields that make a request conditional (RFC 9110, 13.1), as they came. One that did not come
/// has no data; one that came empty has.
struct conditions {
    std::string_view if_match{}, if_none_match{}, if_modified_since{}, if_unmodified_since{}, if_range{};
};

/// What the selected representation is known by now.
struct current_validators {
    bool exists = true;  ///< False: there is none, so nothing matches, not even `*`.
    std::optional<entity_tag> tag = std::nullopt;
    std::optional<std::int64_t> modified = std::nullopt;  ///< Seconds since 1970-01-01.
    /// RFC 9110, 8.8.2.2: it cannot have changed again within that second.
    bool modified_is_strong = false;
};

enum class verdict : unsigned char {
    go_on,               ///< As if there were no condition.
    not_modified,        ///< 304
    precondition_failed  ///< 412
};

/// Evaluates the conditions in the order of RFC 9110, 13.2.2. `reads`: the method is GET or HEAD.
/// `now`, in seconds since 1970-01-01, is for dates with a year of two digits.
verdict evaluate(const conditions&, const current_validators&, bool reads, std::int64_t now) noexcept;

/// Whether a Range field counts, by If-Range (RFC 9110, 13.1.5). It does where there is none.
bool range_counts(std::string_view if_range, const current_validators&, std::int64_t now) noexcept;

}  // namespace apus::codec::fields
