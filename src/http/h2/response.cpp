// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "http/field_lines.hpp"
#include "http/h2/connection.hpp"
#include "http/known_types.hpp"
#include "http/problem.hpp"
#include "http/statuses.hpp"
#include "runtime/activity.hpp"

#include <charconv>
#include <span>
#include <string>
#include <utility>
#include <vector>

// From answers to frames. Nothing is copied for the session: what its lines say stays where it is,
// in the exchange or in memory that lasts, until the stream is closed.

namespace apus::http::h2 {
namespace {

// What is of one connection in HTTP/1.1, and may not be said in HTTP/2 (RFC 9113, 8.2.2).
bool is_of_connection(std::string_view name) noexcept {
    return name == "upgrade" || name == "connection" || name == "keep-alive" || name == "proxy-connection" ||
           name == "transfer-encoding";
}

nghttp2_nv line_of(std::string_view name, std::string_view value) noexcept {
    const auto bytes = [](std::string_view text) {
        return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
    };
    return {bytes(name), bytes(value), name.size(), value.size(),
            NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE};
}

// Field lines as HTTP/2 has them. Their names become lower case where they stand.
void add_lines(std::string& lines, bool of_tunnel, std::vector<nghttp2_nv>& to) {
    for (std::size_t at = 0; at < lines.size();) {
        const auto line = split_line(lines, at);
        for (char& c : std::span(lines).subspan(at, line.name.size()))
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
        at = line.next;
        // What proves a handshake in HTTP/1.1 has no place in this one (RFC 8441, 5).
        if (is_of_connection(line.name) || (of_tunnel && line.name == "sec-websocket-accept")) continue;
        to.push_back(line_of(line.name, line.value));
    }
}

}  // namespace

void connection::submit_head(h2_exchange& x, bool has_body) {
    const response& res = x.answer;
    const int status = x.tunnel ? 200 : res.status();
    auto& lines = own_.lines;
    lines.clear();
    char* number = std::to_chars(x.numbers, x.numbers + 3, status).ptr;
    lines.push_back(line_of(":status", {x.numbers, 3}));
    lines.push_back(line_of("date", core_.date.value(core_.loop.io().clock().unix_seconds())));
    if (const auto known = res.known_type(); known && may_have_body(status))
        lines.push_back(line_of("content-type", known_types[known].type()));
    if (!res.field_lines().empty()) {
        x.lines = res.field_lines();
        add_lines(x.lines, x.tunnel, lines);
    }
    const std::uint64_t size = res.streams() ? x.answer.producer().size : res.body().size();
    if (!x.tunnel && size != detail::unknown_size && may_have_body(status)) {
        char* end = std::to_chars(number, x.numbers + sizeof x.numbers, size).ptr;
        lines.push_back(line_of("content-length", {number, static_cast<std::size_t>(end - number)}));
    }
    core_.counts.count_response(status);
    x.responded = true;
    if (has_body && !x.owing && x.complete) x.owing = true, ++owing_;
    nghttp2_data_provider body;
    body.source.ptr = &x;
    body.read_callback = read_data;
    nghttp2_submit_response(session_, x.stream, lines.data(), lines.size(), has_body ? &body : nullptr);
    if (!in_session_) core_.loop.later(flush_);
}

void connection::respond(h2_exchange& x) {
    if (!is_final(x.answer.status())) {
        x.answer = error_answer(500, "the handler gave no valid status");
        core_.app.give_body(x);
    }
    const bool has_body = x.head.verb != method::head && may_have_body(x.answer.status());
    if (has_body) x.rest = x.answer.body();
    x.response_bytes = x.rest.size();
    x.complete = true;
    if (!x.answer.has_literal()) core_.guard.note_answer(x.plan, x.rest.size());
    submit_head(x, !x.rest.empty());
}

void connection::respond_in_pieces(h2_exchange& x) {
    if (!may_be_streamed(x.answer.status())) return respond(x);
    if (x.answer.status() == 101) {
        const std::string protocol(x.answer.header("upgrade"));
        const bool asked =
            x.fields.extended_connect() && base::equal_ignoring_case(x.text(x.fields.protocol()), protocol);
        if (!asked || core_.draining) {
            x.answer =
                error_answer(426, "this resource is reached by an extended CONNECT for " + protocol + " (RFC 8441)");
            core_.app.give_body(x);
            return respond(x);
        }
        begin_tunnel(x);
    }
    if (std::exchange(x.continue_due, false) && x.plan->body == body_mode::streamed) say_continue(x);
    const bool has_body = x.tunnel || (x.head.verb != method::head && may_have_body(x.answer.status()));
    x.complete = !has_body;
    submit_head(x, has_body);
    if (!has_body) return;
    x.producing = true;
    if (!x.start_producer()) return;
    x.producing = false;
    end_pieces(x, x.settle_producer());
}

void connection::begin_tunnel(h2_exchange& x) {
    x.tunnel = true;
    x.filter = nullptr;
    x.body_ended = x.client_done && x.arrived.empty();
    x.body_lent = false;
    x.max_body = ~std::uint64_t{0};
    ++core_.counts.upgrades;
}

void connection::end_pieces(h2_exchange& x, bool ok) {
    const std::uint64_t size = x.answer.producer().size;
    if (!ok || (size != detail::unknown_size && x.response_bytes != size)) return reset(x, NGHTTP2_INTERNAL_ERROR);
    x.complete = true;
    more_to_send(x);
}

// The last frame of a response was made. A client that has not sent all of its request need not
// (RFC 9113, 8.1), but is told so only when the response has had time to arrive: curl 7.88 drops what
// it has not read of it.
void connection::sent_all(h2_exchange& x) {
    x.ended = true;
    if (!x.client_done) begin_window(x);
}

void connection::more_to_send(h2_exchange& x) noexcept {
    if (!x.owing) x.owing = true, ++owing_;
    if (std::exchange(x.deferred, false)) nghttp2_session_resume_data(session_, x.stream);
    if (!in_session_) core_.loop.later(flush_);
}

// After the body (RFC 9110, 6.5).
void connection::submit_trailers(h2_exchange& x) {
    x.lines = x.out_trailers;  // those of the head have been read by now
    std::vector<nghttp2_nv> lines;
    add_lines(x.lines, false, lines);
    nghttp2_submit_trailer(session_, x.stream, lines.data(), lines.size());
}

void connection::log_response(h2_exchange& x) {
    if (x.address.empty()) find_address(x);
    const runtime::working_for work(&x);
    core_.log_access({x.text(x.head.verb_text), x.text(x.head.target), x.address, x.given_id(),
                      x.tunnel ? 200 : x.answer.status(), x.response_bytes,
                      x.started ? (http::core::nanoseconds() - x.started) / 1000 : 0});
}

}  // namespace apus::http::h2
