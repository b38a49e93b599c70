// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <string_view>

// Numbers of middleware for `/metrics`. Each core has the numbers of the middleware that it uses.

namespace apus::middleware {

inline constexpr std::string_view limit_labels[] = {"name"};
inline constexpr runtime::instrument rate_limit_rows[] = {runtime::instrument::counter(
    "apus_rate_limit_refused_total", "Requests that a rate limit has refused, by name of the limit.", 0)};
inline constexpr runtime::instrument_set rate_limit_counts{limit_labels, rate_limit_rows, 1};

enum concurrency_cell : unsigned {
    refused_full,
    refused_late,
    concurrency_cells
};
inline constexpr runtime::instrument concurrency_rows[] = {
    runtime::instrument::counter("apus_concurrency_limit_refused_total",
                                 "Requests that a concurrency limit has refused.", refused_full, "reason",
                                 "queue_full"),
    runtime::instrument::counter("apus_concurrency_limit_refused_total", {}, refused_late, "reason", "timeout"),
};
inline constexpr runtime::instrument_set concurrency_counts{{}, concurrency_rows, concurrency_cells};

enum idempotency_cell : unsigned {
    keys_new,
    keys_replayed,
    keys_refused,
    idempotency_cells
};
inline constexpr std::string_view idempotency_name = "apus_idempotency_requests_total";
inline constexpr runtime::instrument idempotency_rows[] = {
    runtime::instrument::counter(idempotency_name, "Requests with an Idempotency-Key by result.", keys_new, "result",
                                 "new"),
    runtime::instrument::counter(idempotency_name, {}, keys_replayed, "result", "replayed"),
    runtime::instrument::counter(idempotency_name, {}, keys_refused, "result", "refused"),
};
inline constexpr runtime::instrument_set idempotency_counts{{}, idempotency_rows, idempotency_cells};

enum cache_cell : unsigned {
    cache_hits,
    cache_stale,
    cache_misses,
    cache_evictions,
    cache_entries,
    cache_bytes,
    cache_cells
};
inline constexpr std::string_view cache_requests = "apus_response_cache_requests_total";
inline constexpr runtime::instrument cache_rows[] = {
    runtime::instrument::counter(cache_requests, "Requests to routes with a response cache by result.", cache_hits,
                                 "result", "hit"),
    runtime::instrument::counter(cache_requests, {}, cache_stale, "result", "stale"),
    runtime::instrument::counter(cache_requests, {}, cache_misses, "result", "miss"),
    runtime::instrument::counter("apus_response_cache_evictions_total",
                                 "Responses removed from response caches for lack of memory.", cache_evictions),
    runtime::instrument::gauge("apus_response_cache_entries", "Responses in response caches.", cache_entries),
    runtime::instrument::gauge("apus_response_cache_bytes", "Memory of response caches.", cache_bytes),
};
inline constexpr runtime::instrument_set cache_counts{{}, cache_rows, cache_cells};

enum cache_store_cell : unsigned {
    store_hits,
    store_misses,
    store_invalid,
    store_failed,
    store_written,
    store_not_written,
    store_writes_failed,
    cache_store_cells
};
inline constexpr std::string_view cache_store_searches = "apus_response_cache_store_searches_total";
inline constexpr std::string_view cache_store_writes = "apus_response_cache_store_writes_total";
inline constexpr runtime::instrument cache_store_rows[] = {
    runtime::instrument::counter(cache_store_searches, "Searches of response caches in their stores by result.",
                                 store_hits, "result", "hit"),
    runtime::instrument::counter(cache_store_searches, {}, store_misses, "result", "miss"),
    runtime::instrument::counter(cache_store_searches, {}, store_invalid, "result", "invalid"),
    runtime::instrument::counter(cache_store_searches, {}, store_failed, "result", "failed"),
    runtime::instrument::counter(cache_store_writes, "Responses for the stores of response caches by result.",
                                 store_written, "result", "stored"),
    runtime::instrument::counter(cache_store_writes, {}, store_not_written, "result", "refused"),
    runtime::instrument::counter(cache_store_writes, {}, store_writes_failed, "result", "failed"),
};
inline constexpr runtime::instrument_set cache_store_counts{{}, cache_store_rows, cache_store_cells};

/// Returns the numbers of this core.
inline runtime::instrument_group& counts_of(const runtime::instrument_set& of) {
    return runtime::loop::current().instruments().of(of);
}

}  // namespace apus::middleware
