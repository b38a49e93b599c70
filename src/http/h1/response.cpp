// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "http/h1/protocol.hpp"
#include "http/known_types.hpp"
#include "http/problem.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <utility>

// Serializes responses. Small responses are written into the arena, so that all responses to the requests of one read
// are sent together. Large bodies are sent without a copy.

namespace apus::http::h1 {
namespace {

constexpr std::size_t max_copied = 16 * 1024;  // larger bodies are sent without a copy in the arena
constexpr std::size_t high_water = 64 * 1024;  // for unsent bytes of a streamed body
constexpr std::string_view length_name = "Content-Length: ";

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

std::size_t protocol::head_room() const noexcept {
    constexpr std::size_t rest = 320;  // status line, Date, Content-Type, framing and Connection together
    return rest + x_->answer.field_lines().size();
}

// Writes the status line of a status other than 200, and Date.
char* protocol::put_other_status(char* to) {
    const int status = x_->answer.status();
    to = put(to, "HTTP/1.1 ");
    to = std::to_chars(to, to + 3, status).ptr;
    *to++ = ' ';
    to = put(to, reason_phrase(status));
    to = put(to, "\r\n");
    return put(to, core_.date.date(core_.loop.io().clock().unix_seconds()));
}

// Writes the status line, Date and the fields of the response.
inline char* protocol::put_fields(char* to) {
    auto& x = *x_;
    const response& res = x.answer;
    const int status = res.status();
    if (status == 200) to = put(to, core_.date.ok(core_.loop.io().clock().unix_seconds()));
    else to = put_other_status(to);
    if (const auto known = res.known_type(); known && (x.tunnel || may_have_body(status))) {
        std::memcpy(to, known_types[known].bytes, type_line::room);
        to += known_types[known].size;
    }
    return res.field_lines().empty() ? to : put(to, res.field_lines());
}

// Writes the Connection field, if needed, and the end of the head.
char* protocol::write_connection_field(char* to) const {
    if (!x_->keeps_alive) to = put(to, "Connection: close\r\n");
    else if (!x_->head.minor) to = put(to, "Connection: keep-alive\r\n");
    return put(to, "\r\n");
}

// Writes the head, with the framing of the body.
void protocol::write_head(std::size_t body_room) {
    auto& x = *x_;
    const response& res = x.answer;
    const int status = res.status();
    auto& arena = core_.loop.io().arena();
    char* to = put_fields(arena.room(head_room() + body_room));
    if (x.tunnel) {
        to = put(to, "Connection: upgrade\r\n\r\n");
    } else {
        const std::uint64_t size = res.streams() ? x.answer.producer().size : res.body().size();
        if (size == detail::unknown_size) {
            if (x.head.minor && may_have_body(status)) to = put(to, "Transfer-Encoding: chunked\r\n");
        } else if (may_have_body(status)) {
            to = put(to, length_name);
            to = put_number(to, size);
            to = put(to, "\r\n");
        }
        to = write_connection_field(to);
    }
    arena.wrote(to);
    core_.counts.count_response(status);
}

// Writes the head before the body is known, with a gap for the digits of Content-Length. The gap has as many digits as
// the size of the route's last body.
std::span<char> protocol::body_room(exchange& of) {
    constexpr std::size_t least = 4096;  // minimum space for a body
    auto& x = *x_;
    if (!batching_ || &of != x_ || !x.plan->size_digits || x.continue_due || x.head.verb == method::head ||
        !may_have_body(x.answer.status()))
        return {};
    auto& arena = core_.loop.io().arena();
    const std::size_t head = head_room();
    if (arena.left() < head + least) {
        if (!arena.batch().empty()) return {};  // do not grow the arena: this would move the batch
        arena.room(head + max_copied);
    }
    drafted_head& draft = own().draft;
    char* const begin = arena.room(0);
    draft.status = x.answer.status();
    draft.field_lines = x.answer.field_lines().size();
    draft.digits = x.plan->size_digits;
    draft.size = put(put_fields(begin), length_name);
    draft.body = write_connection_field(put(draft.size + draft.digits, "\r\n"));
    return {draft.body, std::min(arena.left() - static_cast<std::size_t>(draft.body - begin), max_copied)};
}

// Sends a body that was printed after its drafted head.
void protocol::send_drafted(char* body) {
    auto& x = *x_;
    auto& arena = core_.loop.io().arena();
    const drafted_head& draft = own().draft;
    const std::size_t size = x.answer.body().size();
    const bool is_same_head = draft.status == x.answer.status() && draft.field_lines == x.answer.field_lines().size();
    char digits[20];
    const auto count = static_cast<std::size_t>(put_number(digits, size) - digits);
    if (is_same_head && count == draft.digits) {
        std::memcpy(draft.size, digits, count);
        arena.wrote(body + size);
        core_.counts.count_response(draft.status);
        return;
    }
    // The draft does not fit, so the body is copied. If status or fields changed after the body was printed, the route
    // gets no further drafts.
    x.plan->size_digits = is_same_head ? static_cast<std::uint8_t>(count) : 0;
    std::string& apart = x.answer.bytes();
    apart.assign(body, size);
    write_head(size);
    arena.wrote(put(arena.room(size), apart));
}

// Sends a response whose body is not copied to the arena.
void protocol::queue_response() {
    auto& x = *x_;
    auto& io = core_.loop.io();
    write_head(0);
    await_drain();
    queue_batch();
    if (!x.answer.has_literal()) core_.guard.record_response_size(x.plan, x.response_bytes);
    if (x.answer.producer().self)
        // copied, because the owner of the body is destroyed with the response
        io.queue(connection_, std::string(x.answer.body()));
    else if (x.answer.has_literal()) io.queue_static(connection_, x.answer.body());
    else io.queue(connection_, std::move(x.answer.bytes()));
}

void protocol::send_response(served_exchange&) {
    auto& x = *x_;
    // The client waits for 100 Continue. It may send the request body after this response or omit it, so the position
    // of the next request is unknown (RFC 9110, 10.1.1).
    if (x.continue_due) x.keeps_alive = false;
    const std::size_t size = x.response_bytes;
    auto& io = core_.loop.io();
    if (char* const body = std::exchange(own().draft.body, nullptr); body && body == x.answer.body().data()) {
        send_drafted(body);
    } else if (size <= max_copied) {
        write_head(size);
        if (size) {
            char* to = io.arena().room(size);
            io.arena().wrote(put(to, x.answer.body()));
        }
    } else {
        queue_response();
    }
    closes_ = !x.keeps_alive;
    client_closes_ = closes_ && !x.head.keep_alive && x.decoder.ended();
    release();
}

void protocol::send_head(served_exchange&, bool has_body) {
    auto& x = *x_;
    if (x.continue_due) x.keeps_alive = false;
    const bool sized = x.answer.producer().size != detail::unknown_size;
    if (!x.head.minor && !x.tunnel && !sized) x.keeps_alive = false;  // HTTP/1.0: closing ends the body
    x.chunks_response = x.head.minor && !x.tunnel && !sized;
    write_head(0);
    if (has_body) return;
    closes_ = !x.keeps_alive;
    release();
}

std::string protocol::refused_upgrade(served_exchange& x, std::string_view wanted) {
    const bool fits = x.head.wants_upgrade && x_->decoder.ended() && !core_.hurries() &&
                      base::equal_ignoring_case(x.field("upgrade"), wanted);
    return fits ? "" : "this resource requires an upgrade of the connection to " + std::string(wanted);
}

void protocol::begin_tunnel(served_exchange& x) {
    x.head.fields.keep(x.head.field_count);
    x_->keeps_alive = false;
    x_->decoder = body_decoder::endless();
    x.body_ended = false;
}

void protocol::end_stream(served_exchange&) {
    auto& x = *x_;
    if (x.chunks_response) {
        append_output("0\r\n");
        append_output(x.out_trailers());
        append_output("\r\n");
    }
    closes_ = !x.keeps_alive;
    client_closes_ = closes_ && (client_ended_ || (!x.head.keep_alive && x.decoder.ended()));
    release();
}

void protocol::write(exchange&, std::string_view bytes) {
    auto& x = *x_;
    bytes = bytes.substr(0, x.answer.producer().size - x.response_bytes);
    if (bytes.empty()) return;
    if (x.chunks_response) {
        char size[20];
        char* end = std::to_chars(size, size + sizeof size - 2, bytes.size(), 16).ptr;
        append_output({size, static_cast<std::size_t>(put(end, "\r\n") - size)});
    }
    append_output(bytes);
    if (x.chunks_response) append_output("\r\n");
    x.response_bytes += bytes.size();
}

// Appends to the batch in the arena if the batch belongs to this connection and the queue is empty, so that small
// pieces are sent together with other responses. Otherwise appends to the queue.
void protocol::append_output(std::string_view bytes) {
    auto& io = core_.loop.io();
    if (batching_ && !connection_.unsent() && io.arena().batch().size() + bytes.size() <= max_copied) {
        char* to = io.arena().room(bytes.size());
        return io.arena().wrote(put(to, bytes));
    }
    await_drain();
    queue_batch();
    io.queue(connection_, bytes);
    if (!consuming_) settle_memory();
}

void protocol::write_batch(exchange& of, std::string_view batch) {
    if (batching_ || !x_->tunnel || connection_.unsent()) return write(of, batch);
    core_.loop.io().send(connection_, batch, runtime::after::keep_open);
    x_->response_bytes += batch.size();
}

bool protocol::write_file(exchange&, const runtime::file_ref& file, std::uint64_t at, std::uint64_t size) {
    auto& x = *x_;
    if (x.out_filter || x.chunks_response || size > x.answer.producer().size - x.response_bytes) return false;
    await_drain();
    queue_batch();
    core_.loop.io().queue_file(connection_, file, at, size);
    x.response_bytes += size;
    return true;
}

bool protocol::can_write(exchange&) noexcept { return connection_.unsent() <= high_water; }

void protocol::progressed(std::size_t bytes) {
    out_ += static_cast<std::uint32_t>(bytes);
    connection_.count_traffic(bytes);
    settle_memory();
    if (x_ && x_->writer && connection_.unsent() <= high_water / 2) std::exchange(x_->writer, {}).resume();
}

void protocol::begin_batch() noexcept {
    batching_ = true;
    core_.loop.io().arena().begin();
}

// Moves the batch from the arena to the end of the queue.
void protocol::queue_batch() {
    auto& arena = core_.loop.io().arena();
    if (!batching_ || arena.batch().empty()) return;
    core_.loop.io().queue(connection_, arena.batch());
    arena.begin();
}

void protocol::send_batch() {
    batching_ = false;
    if (is_over()) return;
    auto& io = core_.loop.io();
    std::string_view batch = io.arena().batch();
    auto then = runtime::after::keep_open;
    if (closes_ && !x_) {
        const bool clean = client_ended_ || (client_closes_ && own().unread.empty() && !input_);
        then = clean ? runtime::after::close : runtime::after::half_close;
        // The connection lingers, so that the client can read the response. Closing a socket with unread input sends a
        // reset, which could destroy the response in transit (RFC 9112, 9.6).
        phase_ = phase::leaving;
        set_deadline(core_.due_in(leaving_timeout()));
        if (connection_.unsent()) begin_window();
        io.receive(connection_);  // discards input until the client closes
    }
    if (!batch.empty()) io.send(connection_, batch, then);
    else if (then != runtime::after::keep_open) io.finish(connection_, then);
    io.arena().begin();
}

void protocol::say_continue(served_exchange&) {
    constexpr std::string_view line = "HTTP/1.1 100 Continue\r\n\r\n";
    x_->continue_due = false;
    auto& io = core_.loop.io();
    if (!consuming_) return io.queue_static(connection_, line);
    char* to = io.arena().room(line.size());
    io.arena().wrote(put(to, line));
}

}  // namespace apus::http::h1
