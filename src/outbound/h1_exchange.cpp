// SPDX-License-Identifier: Apache-2.0
#include "outbound/h1_exchange.hpp"

#include <charconv>
#include <string>
#include <utility>

namespace apus::outbound {
namespace {

constexpr std::size_t max_copied = 16 * 1024;  // smaller bodies are copied and sent with the head
constexpr std::uint64_t much_body = 32 * 1024;

using codec::outcome;
using codec::http1::framing;

std::string broken(const codec::refusal& why) {
    return std::string("invalid response from the upstream: ") + why.reason;
}

}  // namespace

h1_exchange::h1_exchange(pool& p, pool::lease l)
    : exchange(p),
      lease_(std::move(l)),
      limits_{p.options.status_line, p.options.fields, p.options.field_bytes},
      reused_(lease_->used()) {}

void h1_exchange::send_head(const detail::asked& req, const url& to, bool waits) {
    std::string text = head_of(req, to, codings());
    if (req.has_body && !waits && req.body.size() <= max_copied) text += req.body;
    io().send(text);
}

void h1_exchange::send_body(const detail::asked& req, bool waits) {
    if (req.has_body && (waits || req.body.size() > max_copied)) io().send(req.body);
}

void h1_exchange::note_body_sent() noexcept {
    sent_ = true;
    head_due_ = soonest(pool_->options.head);
}

void h1_exchange::send_piece(std::string_view bytes) {
    if (length_ != client_request::unknown_length) return io().send(bytes);
    char size[20];
    char* end = std::to_chars(size, size + sizeof size, bytes.size(), 16).ptr;
    std::string chunk(size, end);
    chunk.append("\r\n").append(bytes).append("\r\n");
    io().send(chunk);
}

void h1_exchange::end_pieces() {
    if (length_ == client_request::unknown_length) io().send("0\r\n\r\n");
}

std::uint64_t h1_exchange::announced() const noexcept {
    return until_close_ ? ~std::uint64_t{0} : decoder_.announced();
}

// Waits for more bytes or the end of the stream. Fails if the upload has failed. At `due`, fails with 504 and `late`.
task<> h1_exchange::more(std::uint64_t due, const char* late) {
    while (!io().gather()) {
        if (upload_error_) co_await fail(upload_error_->status(), upload_error_->detail());
        if (io().ended()) co_return;
        const bool was_uploading = head_due_ == 0 && !begun_;
        if (co_await io().reading.until(due) == wake::late) co_await fail(504, late);
        if (was_uploading && head_due_ != 0) due = std::min(due, head_due_);
    }
    response_begun_ = true;
}

task<bool> h1_exchange::read_head(bool until_continue) {
    std::size_t looked_at = 0;
    const std::uint64_t patience = until_continue ? soonest(continue_timeout) : 0;
    for (;;) {
        const std::string_view bytes = io().unread();
        const bool worthwhile = bytes.substr(looked_at).contains('\n') || bytes.size() >= limits_.request_line;
        const auto parsed = worthwhile ? codec::http1::read_response_head(bytes, limits_, response->head)
                                       : codec::parsed<const codec::http1::response_head*>{outcome::partial};
        if (parsed.state == outcome::bad) co_await fail(502, broken(*parsed.why));
        if (parsed.state == outcome::partial) {
            looked_at = bytes.size();
            const char* end = bytes.empty() ? "the upstream closed the connection without a response"
                                            : "the upstream's response ends within its head";
            if (io().ended() && !io().gather()) co_await fail(502, end);
            const std::uint64_t due = patience ? patience : head_due_ ? head_due_ : whole_due_;
            if (patience && pool_->loop().now() >= patience) co_return false;
            auto waited = co_await more(due, "the upstream did not respond in time").outcome();
            if (!waited && patience && waited.error().status() == 504 && whole_due_ > patience) co_return false;
            if (!waited) co_await fail(waited.error().status(), waited.error().detail());
            continue;
        }
        looked_at = 0;
        const int status = response->head.status;
        if (status == 101) co_await fail(502, "the upstream switched protocols without an upgrade request");
        if (status >= 200) {
            response->bytes = bytes.substr(0, parsed.used);
            io().use(parsed.used);
            begun_ = true;
            co_return true;
        }
        if (++interim_ > max_interim) co_await fail(502, "the upstream sent too many interim responses");
        io().use(parsed.used);
        if (until_continue && status == 100) co_return false;
    }
}

void h1_exchange::begin_body() {
    const auto& head = response->head;
    const framing how = codec::http1::body_of(head, to_head_);
    keep_alive_ = head.keep_alive;
    until_close_ = how == framing::until_close;
    decoder_ = until_close_ ? http::h1::body_decoder::endless() : http::h1::body_decoder(how, head.content_length);
    if (decoder_.announced() >= much_body) io().use_large_buffers(true);
    if (how == framing::chunked) trailers_ = std::make_unique<codec::http1::trailer_section>();
    if (!decoder_.ended()) begin_decoding();
    else if (!trailers_) finish();
}

task<std::string_view> h1_exchange::read_sent() {
    if (!lease_) co_return std::string_view();
    io().use(std::exchange(lent_, 0));
    if (!trailers_) trailers_ = std::make_unique<codec::http1::trailer_section>();
    while (!decoder_.ended()) {
        const auto step = decoder_.next(io().unread(), limits_, *trailers_);
        if (step.state == outcome::bad) co_await fail(502, broken(*step.why));
        if (!step.piece.empty()) {
            lent_ = step.used;
            co_return step.piece;
        }
        io().use(step.used);
        if (step.state == outcome::done) continue;
        if (io().ended() && !io().gather()) {
            if (!until_close_ || io().error() != 0) co_await fail(502, "the upstream's response is truncated");
            break;
        }
        co_await more(soonest(pool_->options.between_bytes),
                      "the rest of the upstream's response did not arrive in time");
    }
    finish();
    co_return std::string_view();
}

// Keeps the connection only if request and response are complete, and no unexpected bytes have arrived.
void h1_exchange::finish() noexcept {
    cancel_upload();
    const bool clean = keep_alive_ && !until_close_ && sent_ && !io().unsent() && !io().gather() &&
                       io().unread().empty() && !io().ended();
    if (clean) {
        io().use_large_buffers(false);
        lease_->keep();
    }
    lease_.reset();
}

}  // namespace apus::outbound
