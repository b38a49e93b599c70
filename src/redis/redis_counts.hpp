// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/instruments.hpp"

#include <string_view>

// Numbers of Redis clients for `/metrics`.

namespace apus::redis {

enum command_cell : unsigned {
    commands_succeeded,
    commands_failed,       ///< Redis has replied with an error.
    commands_late,         ///< No reply before the deadline.
    commands_unreachable,  ///< No connection, or too many commands wait.
    commands_cancelled,
    commands_in_flight,
    commands_waiting,
    connections_open,
    connections_opened,
    connections_failed,
    connections_lost,
    command_cells
};
enum command_histogram : unsigned {
    command_durations
};

inline constexpr std::string_view client_labels[] = {"server"};
inline constexpr std::string_view commands_name = "apus_redis_commands_total";
inline constexpr runtime::instrument command_instruments[] = {
    runtime::instrument::counter(commands_name, "Redis commands, pipelines and transactions by outcome.",
                                 commands_succeeded, "outcome", "succeeded"),
    runtime::instrument::counter(commands_name, {}, commands_failed, "outcome", "failed"),
    runtime::instrument::counter(commands_name, {}, commands_late, "outcome", "timeout"),
    runtime::instrument::counter(commands_name, {}, commands_unreachable, "outcome", "unavailable"),
    runtime::instrument::counter(commands_name, {}, commands_cancelled, "outcome", "cancelled"),
    runtime::instrument::gauge("apus_redis_commands_in_flight", "Redis commands that wait or were sent.",
                               commands_in_flight),
    runtime::instrument::gauge("apus_redis_commands_waiting", "Redis commands that wait for a connection.",
                               commands_waiting),
    runtime::instrument::gauge("apus_redis_connections",
                               "Open connections to Redis for commands, and reserved connections.", connections_open),
    runtime::instrument::counter("apus_redis_connections_opened_total", "Connections to Redis that were established.",
                                 connections_opened),
    runtime::instrument::counter("apus_redis_connections_failed_total", "Failed attempts to connect to Redis.",
                                 connections_failed),
    runtime::instrument::counter("apus_redis_connections_lost_total",
                                 "Connections to Redis that ended by an error or by the server.", connections_lost),
    runtime::instrument::durations("apus_redis_command_duration_seconds",
                                   "Time from the call of a Redis command to its reply.", command_durations),
};
inline constexpr runtime::instrument_set command_counts{client_labels, command_instruments, command_cells};

enum cache_cell : unsigned {
    cache_hits,
    cache_misses,
    cache_evictions,
    cache_entries,
    cache_bytes,
    cache_cells
};

inline constexpr runtime::instrument cache_instruments[] = {
    runtime::instrument::counter("apus_redis_cache_requests_total", "Searches of the client-side cache by result.",
                                 cache_hits, "result", "hit"),
    runtime::instrument::counter("apus_redis_cache_requests_total", {}, cache_misses, "result", "miss"),
    runtime::instrument::counter("apus_redis_cache_evictions_total",
                                 "Replies removed from the client-side cache for lack of memory.", cache_evictions),
    runtime::instrument::gauge("apus_redis_cache_entries", "Replies in the client-side cache.", cache_entries),
    runtime::instrument::gauge("apus_redis_cache_bytes", "Memory of the client-side cache.", cache_bytes),
};
inline constexpr runtime::instrument_set cache_counts{client_labels, cache_instruments, cache_cells};

}  // namespace apus::redis
