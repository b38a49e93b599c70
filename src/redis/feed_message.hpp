// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/feed.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::redis {

/// Parses a message that the script of `feed_broker` has sent.
/// Returns nullopt if the bytes are invalid or of another version.
std::optional<apus::feed_broker::received> read_feed_message(std::string_view bytes);

/// Reads the fields of an entry of a stream. Unknown fields are ignored.
apus::feed_broker::received read_feed_entry(std::string id, std::vector<std::string> fields);

}  // namespace apus::redis
