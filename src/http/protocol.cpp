// SPDX-License-Identifier: Apache-2.0
#include "http/protocol.hpp"

#include "http/body_limit.hpp"
#include "http/connection.hpp"
#include "http/problem.hpp"
#include "http/request_trace.hpp"
#include "runtime/activity.hpp"

#include <utility>

namespace apus::http {
namespace {

constexpr std::string_view handler_too_slow = "the handler took too long";

// Sets the limits of the request body: the route's if set, otherwise the server's.
void set_body_limits(served_exchange& x, const limits& of_server) noexcept {
    const route_limits& own = x.plan->limits;
    x.max_body = own.body ? own.body : of_server.body;
    x.body_rate = own.body_rate ? own.body_rate : of_server.body_rate;
}

// Returns the handler's time limit; 0 or less: no limit.
duration handler_limit(const served_exchange& x, const limits& of_server) noexcept {
    const duration own = x.plan->limits.handler;
    return own == duration() ? of_server.handler : own;
}

}  // namespace

served_exchange::served_exchange() noexcept {
    resume_later.of = this;
    resume_later.run = protocol::resume_later;
}

void served_exchange::reset() noexcept {
    exchange::reset();
    body_bytes = response_bytes = handler_due = started = waited = 0;
    broken = nullptr;
    at = stage::request;
    finished = continue_due = tunnel = false;
}

bool http2_enabled() noexcept { return make_http2 != nullptr; }

void protocol::closed() noexcept { connection_.retire(core_); }

void protocol::find_address(exchange& x) { connection_.write_address(x.address); }

runtime::record_layer* protocol::records(exchange&) noexcept { return connection_.layer().get(); }

bool protocol::stopping() const noexcept { return core_.draining; }

void protocol::begin(served_exchange& x) {
    ++core_.counts.requests;
    core_.app.route(x);
    if (core_.traces) [[unlikely]]
        begin_trace(x, *core_.traces);
    if (!x.body_ended) {
        set_body_limits(x, core_.bounds);
        if (x.head.body == codec::http1::framing::sized && x.head.content_length > x.max_body) {
            core_.counts.count_refusal(body_too_large.status);
            return fail(x, body_too_large.status, body_too_large.reason);
        }
    }
    if (!has_memory(x)) return;
    if (x.plan->body == body_mode::whole && !x.body_ended) {
        core_.list_in_flight(x);
        await_whole_body(x);
    } else {
        run(x);
    }
}

// Returns true if the memory budget allows the request's body and response. Otherwise rejects the request.
bool protocol::has_memory(served_exchange& x) {
    std::uint64_t more = x.head.wants_upgrade ? memory_guard::upgrade_memory : 0;
    if (!x.body_ended && x.plan->body == body_mode::whole) {
        const bool sized = x.head.body == codec::http1::framing::sized;
        more = sized ? x.head.content_length : memory_guard::small_request + 1;
    }
    const bool is_small = more <= memory_guard::small_request && !core_.guard.is_refusing();
    if (is_small || (!core_.guard.refuses_response(*x.plan) && has_room(x, more))) return true;
    ++core_.counts.memory_refusals;
    refuse_for_memory(x);
    return false;
}

void protocol::run(served_exchange& x) {
    if (postpone(x)) return core_.list_in_flight(x);
    if (core_.app.run(x)) return send_answer(x);
    x.at = stage::handling;
    core_.list_in_flight(x);
    const duration most = handler_limit(x, core_.bounds);
    if (most > duration()) x.handler_due = core_.due_in(most);
    await_task(x);
}

void protocol::finished(exchange& of) noexcept {
    auto& x = static_cast<served_exchange&>(of);
    x.finished = true;
    core_.loop.later(x.resume_later);
}

void protocol::refuse_body(exchange& of, const codec::refusal& why) noexcept {
    auto& x = static_cast<served_exchange&>(of);
    x.broken = &why;
    core_.loop.later(x.resume_later);
}

void protocol::resume_later(runtime::deferred& d) noexcept {
    auto& x = *static_cast<served_exchange::resumption&>(d).of;
    static_cast<protocol*>(x.via)->resume(x);
}

void protocol::take_outcome(served_exchange& x) {
    if (x.broken) {
        core_.counts.count_refusal(x.broken->status);
        x.finished = false;
        if (x.responded()) return abort_response(x);
        x.cancel();
        return fail(x, x.broken->status, x.broken->reason);
    }
    if (!std::exchange(x.finished, false)) return;
    if (x.at == stage::producing) return finish_pieces(x, x.settle_producer());
    x.settle();
    core_.app.add_error_body(x);
    send_answer(x);
}

void protocol::send_answer(served_exchange& x) {
    x.handler_due = 0;
    if (x.answer.streams()) respond_in_pieces(x);
    else respond(x);
}

void protocol::replace_answer(served_exchange& x, int status, std::string_view detail) {
    x.answer = error_answer(status, detail);
    core_.app.add_error_body(x);
}

void protocol::respond(served_exchange& x) {
    if (!is_final(x.answer.status())) replace_answer(x, 500, "the handler set an invalid status");
    const bool has_body = x.head.verb != method::head && may_have_body(x.answer.status());
    x.response_bytes = has_body ? x.answer.body().size() : 0;
    x.at = stage::complete;
    send_response(x);
}

void protocol::respond_in_pieces(served_exchange& x) {
    if (!may_be_streamed(x.answer.status())) return respond(x);
    if (x.answer.status() == 101) upgrade(x);
    if (!x.answer.streams()) return respond(x);
    // The producer may read the request body after the response head, but 100 (Continue) must precede that head.
    if (x.continue_due && x.plan->body == body_mode::streamed) say_continue(x);
    const bool has_body = x.tunnel || (x.head.verb != method::head && may_have_body(x.answer.status()));
    x.at = has_body ? stage::producing : stage::complete;
    send_head(x, has_body);
    if (!has_body) return;
    if (x.tunnel) x.answer.free_field_lines();  // tunnels are open for long
    if (x.start_producer()) return finish_pieces(x, x.settle_producer());
    core_.list_in_flight(x);
    await_task(x);
}

// Begins a tunnel, or replaces the response by an error.
void protocol::upgrade(served_exchange& x) {
    const std::string wanted(x.answer.header("upgrade"));
    if (const std::string why = refused_upgrade(x, wanted); !why.empty()) {
        replace_answer(x, 426, why);
        return x.answer.header("upgrade", wanted), void();
    }
    x.tunnel = true;
    x.filter = nullptr;
    x.body_lent = false;
    x.expects = 0;
    x.max_body = ~std::uint64_t{0};
    ++core_.counts.upgrades;
    begin_tunnel(x);
}

void protocol::finish_pieces(served_exchange& x, bool ok) {
    const std::uint64_t size = x.answer.producer().size;
    if (!ok || (size != detail::unknown_size && x.response_bytes != size)) {
        ++core_.counts.responses_aborted;
        return abort_response(x);
    }
    x.at = stage::complete;
    end_stream(x);
}

void protocol::fail(served_exchange& x, int status, std::string_view detail) {
    if (x.responded()) return abort_response(x);
    replace_answer(x, status, detail);
    fail(x, std::move(x.answer));
}

void protocol::fail(served_exchange& x, response why) {
    if (x.responded()) return abort_response(x);
    x.handler_due = 0;
    x.continue_due = false;
    x.answer = std::move(why);
    respond(x);
}

void protocol::expire_handler(served_exchange& x) {
    ++core_.counts.deadlines;
    x.finished = false;
    x.cancel();
    x.report_failure(503, handler_too_slow);
    fail(x, 503, handler_too_slow);
}

void protocol::fail_slow_body(served_exchange& x) {
    ++core_.counts.rates_refused;
    x.cancel();
    fail(x, 408, "the body of the request arrives too slowly");
}

void protocol::log_response(served_exchange& x, int status) {
    if (x.address.empty()) find_address(x);
    const runtime::working_for work(&x);
    core_.log_access({x.text(x.head.verb_text), core_.target_in_logs(x), x.address, x.given_id(), status,
                      x.response_bytes, x.started ? (core::nanoseconds() - x.started) / 1000 : 0});
}

}  // namespace apus::http
