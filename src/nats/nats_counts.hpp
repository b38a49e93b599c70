// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/instruments.hpp"

#include <string_view>

// Numbers of NATS clients for `/metrics`.

namespace apus::nats {

enum count_cell : unsigned {
    messages_published,
    messages_received,
    messages_dropped,
    requests_succeeded,
    requests_refused,      ///< No subscriber, or no stream.
    requests_late,         ///< No response before the deadline.
    requests_unreachable,  ///< No connection, too many requests, or another error.
    requests_cancelled,
    requests_in_flight,
    connections_open,
    connections_opened,
    connections_failed,
    connections_lost,
    count_cells
};
enum count_histogram : unsigned {
    request_durations
};

inline constexpr std::string_view count_labels[] = {"server"};
inline constexpr std::string_view requests_name = "apus_nats_requests_total";
inline constexpr runtime::instrument count_instruments[] = {
    runtime::instrument::counter("apus_nats_published_messages_total", "Messages sent to NATS, with requests.",
                                 messages_published),
    runtime::instrument::counter("apus_nats_received_messages_total", "Messages of subscriptions from NATS.",
                                 messages_received),
    runtime::instrument::counter("apus_nats_dropped_messages_total",
                                 "Messages dropped because a subscription had too many unread ones.", messages_dropped),
    runtime::instrument::counter(requests_name, "NATS requests and messages for streams by outcome.",
                                 requests_succeeded, "outcome", "succeeded"),
    runtime::instrument::counter(requests_name, {}, requests_refused, "outcome", "refused"),
    runtime::instrument::counter(requests_name, {}, requests_late, "outcome", "timeout"),
    runtime::instrument::counter(requests_name, {}, requests_unreachable, "outcome", "unavailable"),
    runtime::instrument::counter(requests_name, {}, requests_cancelled, "outcome", "cancelled"),
    runtime::instrument::gauge("apus_nats_requests_in_flight", "NATS requests that wait or were sent.",
                               requests_in_flight),
    runtime::instrument::gauge("apus_nats_connections", "Open connections to NATS.", connections_open),
    runtime::instrument::counter("apus_nats_connections_opened_total", "Connections to NATS that were established.",
                                 connections_opened),
    runtime::instrument::counter("apus_nats_connections_failed_total", "Failed attempts to connect to NATS.",
                                 connections_failed),
    runtime::instrument::counter("apus_nats_connections_lost_total",
                                 "Connections to NATS that ended by an error or by the server.", connections_lost),
    runtime::instrument::durations("apus_nats_request_duration_seconds",
                                   "Time from the call of a NATS request to its response.", request_durations),
};
inline constexpr runtime::instrument_set client_counts{count_labels, count_instruments, count_cells};

}  // namespace apus::nats
