// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/chunked.hpp"
#include "codec/http1/refusals.hpp"
#include "http/body_limit.hpp"
#include "http/h2/connection.hpp"

#include <utility>

// Bodies of requests. What has come and was not read is bounded by the windows, which the client
// gets back as the handler reads.

namespace apus::http::h2 {
namespace {

constexpr codec::refusal too_much_memory{503, "the streams of this connection hold too much memory"};

}  // namespace

void connection::consumed(h2_exchange& x, std::size_t size) noexcept {
    if (!size) return;
    core_.loop.later(flush_);
    if (!withholds(x)) return void(nghttp2_session_consume(session_, x.stream, size));
    x.withheld += size;
    withheld_ += size;
    nghttp2_session_consume_connection(session_, size);
}

void connection::take_body(h2_exchange& x, std::string_view bytes) {
    x.in += static_cast<std::uint32_t>(bytes.size());
    x.body_bytes += bytes.size();
    x.continue_due = false;
    if (!x.broken && x.body_bytes > x.max_body && !x.tunnel && !x.fields.extended_connect()) {
        x.broken = &body_too_large;
        core_.loop.later(x.attend);
    }
    // Nobody will read it: other streams get the room, but this one gets no more.
    if (x.broken || (x.responded && !x.producing))
        return void(nghttp2_session_consume_connection(session_, bytes.size()));
    const bool running = x.handling || x.producing;
    if (!running && x.plan && x.plan->body == body_mode::whole && !x.fields.extended_connect()) {
        x.collect(bytes);
        settle(x);
        consumed(x, bytes.size());
        if (x.held > memory_guard::small_request && bodies_ > bodies_most(8) && !is_first_body(x)) refuse(x);
        return;
    }
    x.arrived.append(bytes);
    if (x.reader && !x.body_lent) give_piece(x);
    settle(x);
    if (x.tunnel && x.kept && bodies_ > bodies_most(8) && !is_first_body(x)) {
        ++core_.counts.memory_refusals;
        refuse_body(x, too_much_memory);
    }
}

// To a reader that waits.
void connection::give_piece(h2_exchange& x) {
    x.waited += core_.loop.now() - x.waits_since;
    x.lent.clear();
    std::swap(x.lent, x.arrived);
    x.body = x.lent;
    x.body_ended = x.body_ended || x.client_done;
    if (!x.filter || x.filter->next(x)) std::exchange(x.reader, {}).resume();
}

void connection::end_body(h2_exchange& x) {
    if (x.broken || x.body_ended || (x.responded && !x.producing)) return;
    if (x.reader && !x.body_lent) return give_piece(x);
    if (x.handling || x.producing || x.responded || !x.plan || x.plan->body != body_mode::whole) return;
    x.body_ended = true;
    x.body = x.collected;
    run(x);
}

void connection::wants_body(exchange& of) noexcept {
    auto& x = static_cast<h2_exchange&>(of);
    x.body_lent = false;
    consumed(x, x.lent.size());
    x.lent.clear();
    if (x.broken) return;
    if (!x.arrived.empty()) {
        std::swap(x.lent, x.arrived);
        x.body = x.lent;
        return;
    }
    x.body_ended = x.client_done;
    if (x.body_ended) return;
    if (x.continue_due) say_continue(x);
    x.waits_since = core_.loop.now();
    if (x.window) return;
    begin_window(x);
    x.judged_body = true;  // its reader is about to wait
}

void connection::refuse_body(exchange& of, const codec::refusal& why) noexcept {
    auto& x = static_cast<h2_exchange&>(of);
    x.broken = &why;
    core_.loop.later(x.attend);
}

void connection::add_trailer(h2_exchange& x, std::string_view name, std::string_view value) {
    namespace refusals = codec::http1::refusals;
    const std::size_t bytes = x.trailer_bytes.size() + name.size() + value.size();
    if (x.trailer_count >= core_.bounds.fields || x.trailer_count >= codec::http1::max_fields)
        x.broken = &refusals::too_many_fields;
    else if (bytes > core_.bounds.field_bytes) x.broken = &refusals::fields_too_long;
    if (x.broken) return core_.loop.later(x.attend);
    if (!codec::http1::may_stand_in_trailers(name)) return;
    if (!x.trailers) x.trailers = new codec::http1::field[codec::http1::max_fields];
    const auto keep = [&x](std::string_view part) {
        const codec::http1::slice where{static_cast<std::uint16_t>(x.trailer_bytes.size()),
                                        static_cast<std::uint16_t>(part.size())};
        x.trailer_bytes.append(part);
        return where;
    };
    auto& line = x.trailers[x.trailer_count++];
    line.name = keep(name);
    line.value = keep(value);
}

void connection::say_continue(h2_exchange& x) {
    std::uint8_t name[] = ":status", value[] = "100";
    const nghttp2_nv status{name, value, 7, 3, NGHTTP2_NV_FLAG_NONE};
    x.continue_due = false;
    nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, x.stream, nullptr, &status, 1, nullptr);
    core_.loop.later(flush_);
}

}  // namespace apus::http::h2
