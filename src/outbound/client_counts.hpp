// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/instruments.hpp"

#include <string_view>

// Numbers of HTTP clients for `/metrics`.

namespace apus::outbound {

enum client_cell : unsigned {
    requests_failed,  ///< Ended without a response. The next cells: by the first digit of the status.
    requests_2xx = 2,
    requests_3xx,
    requests_4xx,
    requests_5xx,
    requests_timeout,
    requests_rejected,  ///< Not sent, because all connections are in use.
    requests_cancelled,
    requests_in_flight,
    requests_repeated,
    connections_open,
    connections_idle,
    connections_requested,
    requests_waiting,
    waits,
    wait_time,
    client_cells
};
enum client_histogram : unsigned {
    request_durations
};

inline constexpr std::string_view client_labels[] = {"client"};
inline constexpr std::string_view requests_name = "apus_client_requests_total";
inline constexpr runtime::instrument client_instruments[] = {
    runtime::instrument::counter(requests_name, "Requests of HTTP clients by outcome.", requests_2xx, "outcome", "2xx"),
    runtime::instrument::counter(requests_name, {}, requests_3xx, "outcome", "3xx"),
    runtime::instrument::counter(requests_name, {}, requests_4xx, "outcome", "4xx"),
    runtime::instrument::counter(requests_name, {}, requests_5xx, "outcome", "5xx"),
    runtime::instrument::counter(requests_name, {}, requests_failed, "outcome", "failed"),
    runtime::instrument::counter(requests_name, {}, requests_timeout, "outcome", "timeout"),
    runtime::instrument::counter(requests_name, {}, requests_rejected, "outcome", "rejected"),
    runtime::instrument::counter(requests_name, {}, requests_cancelled, "outcome", "cancelled"),
    runtime::instrument::gauge("apus_client_requests_in_flight", "Requests of HTTP clients that have not ended.",
                               requests_in_flight),
    runtime::instrument::counter("apus_client_retries_total", "Requests that HTTP clients have repeated.",
                                 requests_repeated),
    runtime::instrument::gauge("apus_client_connections",
                               "Connections of HTTP clients, including those being established.", connections_open),
    runtime::instrument::gauge("apus_client_connections_idle", "HTTP/1.1 connections that wait for a request.",
                               connections_idle),
    runtime::instrument::counter("apus_client_connections_opened_total",
                                 "Connections that HTTP clients have begun to establish.", connections_requested),
    runtime::instrument::gauge("apus_client_waiting", "Requests of HTTP clients that wait for a connection.",
                               requests_waiting),
    runtime::instrument::counter("apus_client_waits_total", "Requests of HTTP clients that waited for a connection.",
                                 waits),
    runtime::instrument::seconds("apus_client_wait_seconds_total",
                                 "Time that requests of HTTP clients waited for a connection.", wait_time),
    runtime::instrument::durations(
        "apus_client_request_duration_seconds",
        "Time from the call of an HTTP client to the end of the response, or of its head if it is streamed.",
        request_durations),
};
inline constexpr runtime::instrument_set client_counts{client_labels, client_instruments, client_cells};

}  // namespace apus::outbound
