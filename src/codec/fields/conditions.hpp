// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/entity_tag.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace apus::codec::fields {

/// The fields of a conditional request (RFC 9110, 13.1), as received. Absent fields have null data.
struct conditions {
    std::string_view if_match{}, if_none_match{}, if_modified_since{}, if_unmodified_since{}, if_range{};
};

/// Validators of the selected representation.
struct current_validators {
    bool exists = true;  ///< False: the resource has no representation, so even `*` does not match.
    std::optional<entity_tag> tag = std::nullopt;
    std::optional<std::int64_t> modified = std::nullopt;  ///< Seconds since 1970-01-01.
    /// True if the representation cannot have changed again after `modified` within the same second.
    /// See RFC 9110, 8.8.2.2.
    bool modified_is_strong = false;
};

enum class verdict : unsigned char {
    go_on,               ///< handle the request as if it had no conditions
    not_modified,        ///< 304
    precondition_failed  ///< 412
};

/// Evaluates the conditions in the order of RFC 9110, 13.2.2. `reads`: the method is GET or HEAD.
/// `now`, in seconds since 1970-01-01, resolves dates with two-digit years.
verdict evaluate(const conditions&, const current_validators&, bool reads, std::int64_t now) noexcept;

/// Returns true if If-Range (RFC 9110, 13.1.5) permits the Range field. Also true without If-Range.
bool range_counts(std::string_view if_range, const current_validators&, std::int64_t now) noexcept;

}  // namespace apus::codec::fields
