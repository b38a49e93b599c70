// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "middleware/response_store.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace apus::middleware {

/// Names of the request's fields on which the responses of a target depend.
using varying_fields = std::vector<std::string>;

/// Maximum number of fields in an entry. Responses that vary by more fields are not stored.
inline constexpr std::size_t most_varying = 16;

/// A value of a `response_cache_store`.
struct cache_entry {
    std::string key;  ///< Text of the key, whose digest is the key in the store.
    /// With `stored_response`, only status, media type, body and fields are set.
    std::variant<stored_response, varying_fields> content;
};

/// Returns the bytes of an entry: a version, a checksum and the entry.
std::string entry_bytes(std::string_view key, const stored_response&);
std::string entry_bytes(std::string_view key, const varying_fields&);

/// Parses the bytes of an entry.
/// Returns nullopt if they are invalid or of another version: other programs may write to the store, or cut a value.
std::optional<cache_entry> read_cache_entry(std::string_view bytes);

}  // namespace apus::middleware
