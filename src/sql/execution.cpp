// SPDX-License-Identifier: Apache-2.0
#include "sql/execution.hpp"

#include "base/ascii.hpp"
#include "http/request_trace.hpp"
#include "runtime/loop.hpp"
#include "sql/database_parts.hpp"
#include "sql/failure.hpp"
#include "sql/plan.hpp"

#include <apus/log.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace apus::sql::detail {
namespace {

std::uint64_t nanoseconds_now() noexcept { return runtime::loop::current().io().clock().nanoseconds(); }

// Returns the first word of a statement ("SELECT"), or a name of `executed_statement::text` ("rollback to savepoint").
std::string_view operation_of(std::string_view text) noexcept {
    while (!text.empty() && !base::is_letter(text.front())) text.remove_prefix(1);
    std::size_t end = 0;
    while (end < text.size() && base::is_letter(text[end])) ++end;
    return text.substr(0, end);
}

}  // namespace

execution::execution(const session_parts& in, std::string_view text) noexcept
    : in_(in),
      text_(text),
      begun_(runtime::loop::current().now()),
      begun_nanoseconds_(nanoseconds_now()),
      counts_(*in.db) {
    counts_.begun();
    if (tracing::recorder::here()) [[unlikely]]
        begin_span();
}

execution::~execution() {
    if (!ended_ && runtime::loop::exists()) end(0, 0, nullptr, statement_end::cancelled);
    end_span(0, nullptr, true);
}

// The names of span and attributes follow OpenTelemetry's semantic conventions for databases.
void execution::begin_span() noexcept {
    try {
        tracing::trace* const in = http::recorded_trace(http::exchange_here());
        if (!in) return;
        const std::string_view engine = in_.db->name(), operation = operation_of(text_);
        span_ = new tracing::open_span(*in, operation.empty() ? engine : operation, tracing::span_kind::client,
                                       in->innermost(), tracing::open_span::nesting::leaf);
        span_->data.attributes.add({"db.system.name", engine == "postgres" ? std::string_view("postgresql") : engine});
        span_->data.attributes.add({"db.query.text", text_});
    } catch (const std::exception&) {
        return;  // out of memory
    }
}

// The span does not contain the error's text, which may contain values of parameters.
void execution::end_span(std::int64_t rows, const error* why, bool cancelled) noexcept {
    auto* const ended = std::exchange(span_, nullptr);
    if (!ended) return;
    ended->data.failed = why || cancelled;
    try {
        const std::string_view state = why ? state_of(*why) : std::string_view();
        if (cancelled) ended->data.attributes.add({"error.type", "cancelled"});
        else if (why) ended->data.attributes.add({"error.type", state.empty() ? std::string_view("_OTHER") : state});
        else ended->data.attributes.add({"db.response.returned_rows", rows});
    } catch (const std::exception&) {
        ended->data.failed = true;  // out of memory; the span is incomplete
    }
    ended->end();
}

error execution::failed(error why, bool secret) {
    const statement_end how = end_of(why);
    if (secret) hide_values(why, text_);
    error made = mapped(std::move(why), in_.options.map_error);
    end(0, 0, &made, how);
    return made;
}

void execution::succeeded(std::int64_t rows, std::uint64_t started) {
    end(rows, started, nullptr, statement_end::succeeded);
}

void execution::succeeded(const outcome& done) {
    succeeded(done.found ? static_cast<std::int64_t>(done.found->size()) : done.changed, done.started);
}

void execution::end(std::int64_t rows, std::uint64_t started, const error* why, statement_end how) {
    ended_ = true;
    const bool cancelled = how == statement_end::cancelled;
    end_span(rows, why, cancelled);
    const std::uint64_t waited = std::max(started, begun_) - begun_, lasted = nanoseconds_now() - begun_nanoseconds_;
    counts_.ended(how, lasted, waited);
    if (in_.options.on_statement)
        in_.options.on_statement({.engine = in_.db->name(),
                                  .text = text_,
                                  .took = duration::from_nanoseconds(static_cast<std::int64_t>(lasted)),
                                  .waited = milliseconds(static_cast<std::int64_t>(waited)),
                                  .rows = rows,
                                  .why = why,
                                  .cancelled = cancelled});
    const auto slow = static_cast<std::uint64_t>(in_.options.slow_statement.milliseconds());
    const std::uint64_t took = runtime::loop::current().now() - begun_;
    if (cancelled || slow == 0 || took < slow) return;
    const std::string_view state = why ? state_of(*why) : std::string_view();
    log::warn("slow statement", {"ms", took}, started == 0 ? log::field() : log::field("wait_ms", waited),
              {"rows", rows}, state.empty() ? log::field() : log::field("sqlstate", state), {"statement", text_});
    const bool executed = !why || state == "57014";
    if (in_.options.slow_statement_plan && executed) log_plan(in_.db, text_);
}

task<> measured(const session_parts& in, std::string_view text, task<> what) {
    execution watched(in, text);
    auto done = co_await std::move(what).outcome();
    if (!done) co_await failure(watched.failed(std::move(done.error())));
    watched.succeeded(0);
}

}  // namespace apus::sql::detail
