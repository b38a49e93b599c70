// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::fields {

/// An entity tag (RFC 9110, 8.8.3): what stands between the quotes, and whether `W/` is before them.
struct entity_tag {
    std::string_view opaque;
    bool weak = false;
};

/// How two entity tags are compared (RFC 9110, 8.8.3.2).
enum class comparison : unsigned char {
    weak,   ///< The same text is enough.
    strong  ///< And neither is weak.
};

/// Takes the next tag off the value of If-Match or If-None-Match. False at the end, and where what
/// follows is no tag: the rest of such a list says nothing.
bool next_entity_tag(std::string_view& list, entity_tag& tag) noexcept;

/// The only tag of a field such as ETag or If-Range. False if it is none, or not alone.
bool read_entity_tag(std::string_view value, entity_tag& tag) noexcept;

/// Whether `list`, the value of If-Match or If-None-Match, names the representation that has
/// `current`. `*` names every one there is.
bool names(std::string_view list, entity_tag current, comparison how) noexcept;

}  // namespace apus::codec::fields
