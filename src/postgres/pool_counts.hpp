// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/instruments.hpp"

#include <string_view>

// Numbers of the pools of PostgreSQL connections, for `/metrics`.

namespace apus::postgres {

enum pool_cell : unsigned {
    connections_idle,
    connections_in_use,
    connections_opened,
    connections_failed,
    connections_closed,
    calls_waiting,
    pool_cells
};

inline constexpr std::string_view pool_labels[] = {"database"};
inline constexpr runtime::instrument pool_instruments[] = {
    runtime::instrument::gauge("apus_sql_connections", "Connections to PostgreSQL by state.", connections_idle, "state",
                               "idle"),
    runtime::instrument::gauge("apus_sql_connections", {}, connections_in_use, "state", "in_use"),
    runtime::instrument::counter("apus_sql_connections_opened_total",
                                 "Connections to PostgreSQL that were established.", connections_opened),
    runtime::instrument::counter("apus_sql_connections_failed_total", "Failed attempts to connect to PostgreSQL.",
                                 connections_failed),
    runtime::instrument::counter("apus_sql_connections_closed_total",
                                 "Connections to PostgreSQL that were lost or closed.", connections_closed),
    runtime::instrument::gauge(
        "apus_sql_waiting", "SQL statements and transactions that wait for a connection to PostgreSQL.", calls_waiting),
};
inline constexpr runtime::instrument_set pool_counts{pool_labels, pool_instruments, pool_cells};

}  // namespace apus::postgres
