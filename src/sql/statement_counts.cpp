// SPDX-License-Identifier: Apache-2.0
#include "sql/statement_counts.hpp"

#include "runtime/loop.hpp"
#include "sql/failure.hpp"

#include <algorithm>
#include <new>

namespace apus::sql {

std::string name_in_metrics(std::string_view url) {
    const auto after = [](std::string_view text, char c) { return text.substr(text.rfind(c) + 1); };
    std::string_view name;
    if (url.starts_with("sqlite:")) {
        name = after(url.substr(url.find(':') + 1), '/');
    } else {
        url.remove_prefix(std::min(url.find("://") + 3, url.size()));
        url = url.substr(0, url.find('?'));
        if (url.contains('/')) name = after(url, '/');
    }
    return std::string(name.empty() ? "default" : name);
}

namespace detail {
namespace {

using runtime::instrument;

// The first cells are those of `statement_end`.
constexpr unsigned in_flight = 6, retries = 7, waits = 8, waited_time = 9, cells = 10;
constexpr unsigned durations = 0;  // the only histogram

constexpr std::string_view ended_name = "apus_sql_statements_total";
constexpr std::string_view count_labels[] = {"database", "engine"};
constexpr instrument count_rows[] = {
    instrument::counter(ended_name, "SQL statements by outcome.", 0, "outcome", "succeeded"),
    instrument::counter(ended_name, {}, 1, "outcome", "failed"),
    instrument::counter(ended_name, {}, 2, "outcome", "timeout"),
    instrument::counter(ended_name, {}, 3, "outcome", "conflict"),
    instrument::counter(ended_name, {}, 4, "outcome", "unavailable"),
    instrument::counter(ended_name, {}, 5, "outcome", "cancelled"),
    instrument::gauge("apus_sql_statements_in_flight", "SQL statements that wait or are executed.", in_flight),
    instrument::counter("apus_sql_transaction_retries_total", "Transactions repeated after a conflict.", retries),
    instrument::counter("apus_sql_waits_total", "SQL statements that waited at least 1 ms for a connection or thread.",
                        waits),
    instrument::seconds("apus_sql_wait_seconds_total", "Time that SQL statements waited for a connection or thread.",
                        waited_time),
    instrument::durations("apus_sql_statement_duration_seconds",
                          "Time from the call of an SQL statement to its result.", durations),
};
constexpr runtime::instrument_set count_set{count_labels, count_rows, cells};

}  // namespace

statement_end end_of(const error& why) noexcept {
    if (state_of(why) == "57014") return statement_end::timeout;
    if (is_serialization_failure(why)) return statement_end::conflict;
    return why.status() == 503 ? statement_end::unavailable : statement_end::failed;
}

statement_counts::statement_counts(const engine& of) noexcept {
    if (!runtime::loop::exists()) return;
    try {
        to_ = &runtime::loop::current().instruments().of(count_set, {of.database(), of.name()});
    } catch (const std::bad_alloc&) {
        to_ = nullptr;
    }
}

void statement_counts::begun() noexcept {
    if (to_) to_->add(in_flight);
}

void statement_counts::ended(statement_end how, std::uint64_t nanoseconds, std::uint64_t waited) noexcept {
    if (!to_) return;
    to_->add(static_cast<unsigned>(how));
    to_->subtract(in_flight);
    to_->observe(durations, nanoseconds);
    if (waited == 0) return;
    to_->add(waits);
    to_->add(waited_time, waited * 1'000'000);
}

void statement_counts::repeats_transaction() noexcept {
    if (to_) to_->add(retries);
}

}  // namespace detail
}  // namespace apus::sql
