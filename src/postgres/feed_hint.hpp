// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/feed.hpp>

#include <optional>
#include <string_view>

namespace apus::postgres {

/// Message for a database of another engine.
inline constexpr std::string_view feeds_need_postgres =
    "SQLite cannot send events to other processes: use the URL of a PostgreSQL database, redis::feed_broker, or, for a "
    "single process, apus::feed without a broker";

/// Parses a notification of the function `apus_feed_publish`.
/// The event has no name and no data. Returns nullopt if the text is invalid or of another version.
std::optional<feed_broker::received> read_feed_hint(std::string_view text);

}  // namespace apus::postgres
