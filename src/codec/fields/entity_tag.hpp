// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::fields {

/// An entity tag (RFC 9110, 8.8.3): the text between the quotes, and whether `W/` precedes the
/// quotes.
struct entity_tag {
    std::string_view opaque;
    bool weak = false;
};

/// How two entity tags are compared (RFC 9110, 8.8.3.2).
enum class comparison : unsigned char {
    weak,   ///< The texts are equal.
    strong  ///< The texts are equal and neither tag is weak.
};

/// Removes the next tag from the value of If-Match or If-None-Match.
/// Returns false at the end of the list, and at a malformed tag; then the rest of the list is ignored.
bool next_entity_tag(std::string_view& list, entity_tag& tag) noexcept;

/// Parses a field with exactly one tag, such as ETag or If-Range.
/// Returns false if the field is malformed.
bool read_entity_tag(std::string_view value, entity_tag& tag) noexcept;

/// Returns true if `list`, the value of If-Match or If-None-Match, contains the tag `current`.
/// `*` matches every existing representation.
bool names(std::string_view list, entity_tag current, comparison how) noexcept;

}  // namespace apus::codec::fields
