// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "http/h1/connection.hpp"
#include "http/known_types.hpp"
#include "http/problem.hpp"
#include "http/statuses.hpp"
#include "runtime/activity.hpp"

#include <charconv>
#include <cstring>
#include <string>
#include <utility>

// From answers to bytes. What is small is written into the arena, so that all responses to one
// read go out in one send; what is large is sent from where it is.

namespace apus::http::h1 {
namespace {

constexpr std::size_t copied_most = 16 * 1024;  // a larger body is not copied behind its head
constexpr std::size_t high_water = 64 * 1024;   // of a streamed body

char* put(char* to, std::string_view text) {
    std::memcpy(to, text.data(), text.size());
    return to + text.size();
}

char* put_number(char* to, std::size_t n) {
    if (n >= 100) return std::to_chars(to, to + 20, n).ptr;
    if (n >= 10) *to++ = static_cast<char>('0' + n / 10);
    *to++ = static_cast<char>('0' + n % 10);
    return to;
}

}  // namespace

// Status line, Date, the answer's own fields, and how its body is framed.
void connection::write_head(std::size_t body_room) {
    auto& x = *x_;
    const response& res = x.answer;
    const std::int64_t second = core_.loop.io().clock().unix_seconds();
    const int status = res.status();
    constexpr std::size_t rest = 320;  // status line, Date, Content-Type, framing and Connection together
    auto& arena = core_.loop.io().arena();
    char* to = arena.room(rest + res.field_lines().size() + body_room);
    if (status == 200) {
        to = put(to, core_.date.ok(second));
    } else {
        to = put(to, "HTTP/1.1 ");
        to = std::to_chars(to, to + 3, status).ptr;
        *to++ = ' ';
        to = put(to, reason_phrase(status));
        to = put(to, "\r\n");
        to = put(to, core_.date.date(second));
    }
    if (const auto known = res.known_type(); known && (tunnels_ || may_have_body(status))) {
        std::memcpy(to, known_types[known].bytes, type_line::room);
        to += known_types[known].size;
    }
    if (!res.field_lines().empty()) to = put(to, res.field_lines());
    if (tunnels_) {
        to = put(to, "Connection: upgrade\r\n");
    } else {
        const std::uint64_t size = res.streams() ? x.answer.producer().size : res.body().size();
        if (size == detail::unknown_size) {
            if (x.head.minor && may_have_body(status)) to = put(to, "Transfer-Encoding: chunked\r\n");
        } else if (may_have_body(status)) {
            to = put(to, "Content-Length: ");
            to = put_number(to, size);
            to = put(to, "\r\n");
        }
        if (!x.keeps_alive) to = put(to, "Connection: close\r\n");
        else if (!x.head.minor) to = put(to, "Connection: keep-alive\r\n");
    }
    arena.wrote(put(to, "\r\n"));
    core_.counts.count_response(status);
}

void connection::respond() {
    auto& x = *x_;
    if (!is_final(x.answer.status())) {
        x.answer = error_answer(500, "the handler gave no valid status");
        core_.app.give_body(x);
    }
    const bool has_body = x.head.verb != method::head && may_have_body(x.answer.status());
    const std::size_t size = has_body ? x.answer.body().size() : 0;
    x.response_bytes = size;
    auto& io = core_.loop.io();
    if (size <= copied_most) {
        write_head(size);
        if (size) {
            char* to = io.arena().room(size);
            io.arena().wrote(put(to, x.answer.body()));
        }
    } else {
        write_head(0);
        await_drain();
        queue_batch();
        if (!x.answer.has_literal()) core_.guard.note_answer(x.plan, size);
        if (x.answer.producer().self) io.queue(*this, std::string(x.answer.body()));  // held only as long as the answer
        else if (x.answer.has_literal()) io.queue_static(*this, x.answer.body());
        else io.queue(*this, std::move(x.answer.bytes()));
    }
    closes_ = !x.keeps_alive;
    client_closes_ = closes_ && !x.head.keep_alive && x.decoder.ended();
}

void connection::respond_in_pieces() {
    auto& x = *x_;
    if (!may_be_streamed(x.answer.status())) {
        x.answer = error_answer(500, "the handler gave no valid status");
        core_.app.give_body(x);
        return answered();
    }
    if (x.answer.status() == 101) {
        if (!may_upgrade()) {
            std::string protocol(x.answer.header("upgrade"));
            x.answer = error_answer(426, "this resource is reached by upgrading the connection to " + protocol);
            core_.app.give_body(x);
            x.answer.header("upgrade", protocol);
            return answered();
        }
        begin_tunnel();
    }
    if (x.continue_due) {
        // A producer may read: after the head there is no place for a 100 any more.
        if (x.plan->body == body_mode::streamed) say_continue();
        else x.keeps_alive = false;
    }
    const bool sized = x.answer.producer().size != detail::unknown_size;
    if (!x.head.minor && !tunnels_ && !sized) x.keeps_alive = false;  // the end of the body is that of the connection
    x.chunks_response = x.head.minor && !tunnels_ && !sized;
    const bool has_body = tunnels_ || (x.head.verb != method::head && may_have_body(x.answer.status()));
    write_head(0);
    x.responded = true;
    if (!has_body) {
        closes_ = !x.keeps_alive;
        return release();
    }
    if (x.start_producer()) return end_pieces(x.settle_producer());
    x.producing = true;
    if (!windowed_) due_ = 0;
    watch_clock();
}

bool connection::may_upgrade() const noexcept {
    auto& x = *x_;
    return x.head.wants_upgrade && x.decoder.ended() && !core_.draining &&
           base::equal_ignoring_case(x.field("upgrade"), x.answer.header("upgrade"));
}

void connection::begin_tunnel() {
    auto& x = *x_;
    tunnels_ = true;
    x.head.fields.keep(x.head.field_count);
    x.keeps_alive = false;
    x.decoder = body_decoder::endless();
    x.filter = nullptr;
    x.body_ended = false;
    x.body_lent = false;
    x.expects = 0;
    x.max_body = ~std::uint64_t{0};
    ++core_.counts.upgrades;
}

void connection::end_pieces(bool ok) {
    auto& x = *x_;
    const std::uint64_t size = x.answer.producer().size;
    if (!ok || (size != detail::unknown_size && x.response_bytes != size)) return break_off();
    if (x.chunks_response) {
        put_out("0\r\n");
        put_out(x.out_trailers);
        put_out("\r\n");
    }
    closes_ = !x.keeps_alive;
    client_closes_ = closes_ && (client_ended_ || (!x.head.keep_alive && x.decoder.ended()));
    release();
}

void connection::write(exchange&, std::string_view bytes) {
    auto& x = *x_;
    bytes = bytes.substr(0, x.answer.producer().size - x.response_bytes);
    if (bytes.empty()) return;
    if (x.chunks_response) {
        char size[20];
        char* end = std::to_chars(size, size + sizeof size - 2, bytes.size(), 16).ptr;
        put_out({size, static_cast<std::size_t>(put(end, "\r\n") - size)});
    }
    put_out(bytes);
    if (x.chunks_response) put_out("\r\n");
    x.response_bytes += bytes.size();
}

// Behind what was written before: into the batch while that is this connection's and nothing is in front
// of it, so that small pieces leave with the next send as other responses do; else into the queue.
void connection::put_out(std::string_view bytes) {
    auto& io = core_.loop.io();
    if (batching_ && !unsent() && io.arena().batch().size() + bytes.size() <= copied_most) {
        char* to = io.arena().room(bytes.size());
        return io.arena().wrote(put(to, bytes));
    }
    await_drain();
    queue_batch();
    io.queue(*this, bytes);
    if (!consuming_) settle_memory();
}

void connection::write_batch(exchange& of, std::string_view batch) {
    if (batching_ || !tunnels_ || unsent()) return write(of, batch);
    core_.loop.io().send(*this, batch, runtime::after::go_on);
    if (core_.log_access) x_->response_bytes += batch.size();
}

bool connection::write_file(exchange&, const runtime::file_ref& file, std::uint64_t at, std::uint64_t size) {
    auto& x = *x_;
    if (x.through || x.chunks_response || size > x.answer.producer().size - x.response_bytes) return false;
    await_drain();
    queue_batch();
    core_.loop.io().queue_file(*this, file, at, size);
    x.response_bytes += size;
    return true;
}

bool connection::write_may_go_on(exchange&) noexcept { return unsent() <= high_water; }

void connection::progressed(std::size_t bytes) {
    out_ += static_cast<std::uint32_t>(bytes);
    count_moved(bytes);
    settle_memory();
    if (x_ && x_->writer && unsent() <= high_water / 2) std::exchange(x_->writer, {}).resume();
}

void connection::begin_batch() noexcept {
    batching_ = true;
    core_.loop.io().arena().begin();
}

// What stands in the arena goes behind what is queued.
void connection::queue_batch() {
    auto& arena = core_.loop.io().arena();
    if (!batching_ || arena.batch().empty()) return;
    core_.loop.io().queue(*this, arena.batch());
    arena.begin();
}

void connection::send_batch() {
    batching_ = false;
    if (phase_ == phase::leaving) return;
    auto& io = core_.loop.io();
    std::string_view batch = io.arena().batch();
    auto then = runtime::after::go_on;
    if (closes_ && !x_) {
        const bool clean = client_ended_ || (client_closes_ && core_.unread.empty() && !input_);
        then = clean ? runtime::after::close : runtime::after::half_close;
        // The client is given time to read before the rest of what it sends is answered by a
        // reset, which would destroy the response on its way (RFC 9112, 9.6).
        phase_ = phase::leaving;
        expect_by(core_.due_in(core_.draining ? moment : patience));
        if (unsent()) begin_window();
        io.receive(*this);  // what still comes is not wanted, but its end is
    }
    if (!batch.empty()) io.send(*this, batch, then);
    else if (then != runtime::after::go_on) io.finish(*this, then);
    io.arena().begin();
}

// Answers with a problem, and closes. Bytes were not understood, or something took too long.
void connection::fail(int status, std::string_view detail) {
    if (!x_) begin_unparsed();
    x_->answer = error_answer(status, detail);
    core_.app.give_body(*x_);
    fail(std::move(x_->answer));
}

// An exchange for a request whose head is not there.
void connection::begin_unparsed() {
    x_ = core_.take();
    auto& x = *x_;
    static_cast<codec::http1::head_facts&>(x.head) = {};
    x.head.verb = method::get;
    x.head.minor = 1;
    x.bytes = "";
    x.via = this;
    x.decoder = {};
    x.started = 0;
}

void connection::fail(response why) {
    if (!x_) begin_unparsed();
    x_->keeps_alive = false;
    x_->handling = x_->producing = false;
    x_->answer = std::move(why);
    respond();
    client_closes_ = false;
    core_.unread = {};
    release();
}

void connection::say_continue() {
    constexpr std::string_view line = "HTTP/1.1 100 Continue\r\n\r\n";
    x_->continue_due = false;
    auto& io = core_.loop.io();
    if (!consuming_) return io.queue_static(*this, line);
    char* to = io.arena().room(line.size());
    io.arena().wrote(put(to, line));
}

void connection::log_response() {
    auto& x = *x_;
    if (x.address.empty()) find_address(x);
    const runtime::working_for work(&x);
    core_.log_access({x.text(x.head.verb_text), x.text(x.head.target), x.address, x.given_id(), x.answer.status(),
                      x.response_bytes, x.started ? (core::nanoseconds() - x.started) / 1000 : 0});
}

}  // namespace apus::http::h1
