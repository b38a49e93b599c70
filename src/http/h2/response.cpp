// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "codec/hpack/literal.hpp"
#include "http/field_lines.hpp"
#include "http/h2/header_block.hpp"
#include "http/h2/protocol.hpp"
#include "http/known_types.hpp"
#include "http/problem.hpp"

#include <iterator>
#include <string>
#include <utility>

// Converts responses to frames. Header blocks use only literals and the static table, so that they do not depend on
// earlier blocks.

namespace apus::http::h2 {

namespace hpack = codec::hpack;

namespace {

constexpr int no_tunnel = 501;

// Returns true for connection-specific fields, which are not allowed in HTTP/2 (RFC 9113, 8.2.2).
bool is_of_connection(std::string_view name) noexcept {
    for (const std::string_view one : {"upgrade", "connection", "keep-alive", "proxy-connection", "transfer-encoding"})
        if (base::same_word(name, one)) return true;
    return false;
}

consteval hpack::fixed_field type_field(std::size_t known) {
    return {codec::fields::field_id::content_type, known_types[known].type()};
}
constexpr hpack::fixed_field type_fields[] = {type_field(0), type_field(1), type_field(2),
                                              type_field(3), type_field(4), type_field(5)};
static_assert(std::size(type_fields) == std::size(known_types));

// Writes field lines as HTTP/2 fields.
char* write_lines(char* to, std::string_view lines, bool of_tunnel) {
    for (std::size_t at = 0; at < lines.size();) {
        const auto line = split_line(lines, at);
        at = line.next;
        // Sec-WebSocket-Accept is used only in HTTP/1.1 (RFC 8441, 5).
        if (is_of_connection(line.name) || (of_tunnel && base::same_word(line.name, "sec-websocket-accept"))) continue;
        to = hpack::write_literal(to, line.name, line.value);
    }
    return to;
}

}  // namespace

// Writes the head of the response. May end the exchange if there is no body.
void protocol::submit_head(h2_exchange& x, bool has_body) {
    using namespace codec::http2;
    // RFC 8441, 5: a 2xx response would open the tunnel.
    if (x.fields.extended_connect() && !x.tunnel && x.answer.status() / 100 == 2) x.answer.status(no_tunnel);
    const response& res = x.answer;
    const int status = x.tunnel ? 200 : res.status();
    char* const frame = output().room(block_room(res.field_lines().size()));
    char* to = encoder_.begin_block(frame + frame_head_size);
    to = hpack::write_status(to, static_cast<unsigned>(status));
    to = own_.write_date(to);
    if (const auto known = res.known_type(); known && may_have_body(status)) to = type_fields[known].append(to);
    if (!res.field_lines().empty()) to = write_lines(to, res.field_lines(), x.tunnel);
    const std::uint64_t size = res.streams() ? x.answer.producer().size : res.body().size();
    if (!x.tunnel && size != detail::unknown_size && may_have_body(status)) to = hpack::write_content_length(to, size);
    out_.wrote(frame_block(frame, to, x.stream, has_body ? flag_none : flag_end_stream));
    core_.counts.count_response(status);
    x.continue_due = false;
    x.sends_body = has_body;
    if (!in_callback_) core_.loop.later(*this);
    if (!has_body) sent_all(x);
}

void protocol::send_response(served_exchange& of) {
    auto& x = static_cast<h2_exchange&>(of);
    x.rest = x.answer.body().substr(0, x.response_bytes);
    if (!x.answer.has_literal()) core_.guard.record_response_size(x.plan, x.rest.size());
    const bool has_body = !x.rest.empty();
    submit_head(x, has_body);
    if (!has_body || send_small(x)) return;
    enqueue(x);
    // The handler has ended, so the request body is released. Otherwise an echo handler, for example, would keep two
    // copies of the body in memory.
    if (x.collected.capacity() > memory_guard::small_request) x.body = {}, std::string().swap(x.collected);
    settle(x);
}

void protocol::send_head(served_exchange& of, bool has_body) {
    auto& x = static_cast<h2_exchange&>(of);
    submit_head(x, has_body);
    if (has_body) settle(x);
}

std::string protocol::refused_upgrade(served_exchange& of, std::string_view wanted) {
    auto& x = static_cast<h2_exchange&>(of);
    const bool fits = x.fields.extended_connect() && !core_.hurries() &&
                      base::equal_ignoring_case(x.text(x.fields.protocol()), wanted);
    if (fits) return {};
    return "this resource requires an extended CONNECT for " + std::string(wanted) + " (RFC 8441)";
}

void protocol::begin_tunnel(served_exchange& of) {
    auto& x = static_cast<h2_exchange&>(of);
    x.body_ended = x.client_done && x.arrived.empty();
}

void protocol::end_stream(served_exchange& of) {
    auto& x = static_cast<h2_exchange&>(of);
    more_to_send(x);
    settle(x);
}

// Called when the last frame of a response is written. If the client has not sent its whole request, the stream is
// reset with NO_ERROR (RFC 9113, 8.1), but only after a rate window: on RST_STREAM, curl 7.88 drops the unread part of
// a response.
void protocol::sent_all(h2_exchange& x) {
    x.ended = true;
    x.sends_body = false;
    if (x.client_done) return ++answered_, close_stream(x, false);
    settle(x);
    begin_window(x);
}

void protocol::more_to_send(h2_exchange& x) noexcept {
    enqueue(x);
    if (!in_callback_) core_.loop.later(*this);
}

// Writes the trailers after the body (RFC 9110, 6.5).
void protocol::write_trailers(h2_exchange& x, runtime::output_arena& arena) {
    char* const frame = arena.room(block_room(x.out_trailers().size()));
    char* to = encoder_.begin_block(frame + codec::http2::frame_head_size);
    to = write_lines(to, x.out_trailers(), false);
    arena.wrote(frame_block(frame, to, x.stream, codec::http2::flag_end_stream));
}

}  // namespace apus::http::h2
