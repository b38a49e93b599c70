// SPDX-License-Identifier: Apache-2.0
#include "outbound/exchange.hpp"

#include "compression/coding.hpp"

#include <apus/sleep.hpp>

#include <algorithm>
#include <utility>

namespace apus::outbound {
namespace {

constexpr unsigned max_interim = 16;           // maximum number of 1xx responses before the final one
constexpr std::size_t max_copied = 16 * 1024;  // smaller bodies are copied and sent with the head
// A longer rest of an unwanted body is not read, since a new connection is cheaper.
constexpr std::size_t max_skipped = 64 * 1024;
constexpr std::uint64_t much_body = 32 * 1024;
constexpr duration continue_patience = seconds(1);

using codec::outcome;
using codec::http1::framing;

std::string broken(const codec::refusal& why) {
    return std::string("invalid response from the upstream: ") + why.reason;
}

}  // namespace

exchange::exchange(pool& p, pool::lease l)
    : pool_(p),
      lease_(std::move(l)),
      limits_{p.options.status_line, p.options.fields, p.options.field_bytes},
      reused_(lease_->used()) {
    upload_ended_.of = resume_.of = this;
    upload_ended_.run = [](detail::completion* c) noexcept {
        exchange& self = *static_cast<ending*>(c)->of;
        if (!self.starting_) self.pool_->loop().later(self.resume_);
    };
    resume_.run = [](runtime::deferred& d) noexcept { static_cast<deferred_resume&>(d).of->settle_upload(); };
}

exchange::~exchange() { cancel_upload(); }

// The upload may be waiting until the connection accepts more data, so it must end before the connection does.
void exchange::cancel_upload() noexcept {
    if (!uploading_) return;
    pool_->loop().forget(resume_);
    std::exchange(uploading_, {}).destroy();
}

std::uint64_t exchange::soonest(duration d) const noexcept {
    return std::min(whole_due_, pool_->loop().now() + static_cast<std::uint64_t>(d.milliseconds()));
}

task<> exchange::begin(detail::asked& req, const url& to, std::uint64_t whole_due) {
    whole_due_ = whole_due;
    to_head_ = req.method == "HEAD";
    accepts_codings_ = pool_->options.decompress && leaves_codings(req);
    std::string text = head_of(req, to, accepts_codings_ ? "gzip, br, zstd" : "");
    const bool waits = req.expects_continue && (req.has_body || req.uploads);
    if (req.has_body && !waits && req.body.size() <= max_copied) text += req.body;
    io().send(text);
    bool answered = false;
    if (waits) answered = co_await read_head(true);
    if (!answered) {
        if (req.uploads) {
            start_upload(req);
        } else {
            if (req.has_body && (waits || req.body.size() > max_copied)) io().send(req.body);
            sent_ = true;
            head_due_ = soonest(pool_->options.head);
        }
        co_await read_head(false);
    }
    begin_body();
}

// Waits for more bytes of the response or its end. Fails if the upload has failed, or with 504 and `late` at `due`.
task<> exchange::more(std::uint64_t due, const char* late) {
    while (!io().gather()) {
        if (upload_error_) co_await fail(upload_error_->status(), upload_error_->detail());
        if (io().ended()) co_return;
        const bool was_uploading = head_due_ == 0 && !begun_;
        if (co_await io().reading.until(due) == wake::late) co_await fail(504, late);
        if (was_uploading && head_due_ != 0) due = std::min(due, head_due_);
    }
    response_begun_ = true;
}

// Returns true when the final head has arrived. With `until_continue` also returns after a 100 response, and after one
// second without any response.
task<bool> exchange::read_head(bool until_continue) {
    std::size_t looked_at = 0;
    const std::uint64_t patience = until_continue ? soonest(continue_patience) : 0;
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

void exchange::begin_body() {
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

void exchange::begin_decoding() {
    if (!accepts_codings_ || response->head.status == 206) return;
    const auto coding = compression::coding_of(response->field("content-encoding"));
    if (!coding || *coding == content_coding::identity || response->count("content-encoding") != 1) return;
    decoded_ = std::make_unique<decoded_body>(*coding);
    // These fields describe the encoded body; the caller receives the decoded one.
    response->remove("content-encoding");
    response->remove("content-length");
}

task<std::string_view> exchange::read_decoded() {
    while (true) {
        const std::string_view piece = decoded_->next();
        if (!piece.empty()) {
            if (decoded_->should_yield()) co_await yield();
            co_return piece;
        }
        if (decoded_->broken()) co_await fail(502, "the upstream's response does not match its Content-Encoding");
        const std::string_view sent = co_await read_sent();
        if (sent.empty()) break;
        decoded_->feed(sent);
    }
    if (!decoded_->complete()) co_await fail(502, "the upstream's encoded response is truncated");
    co_return std::string_view();
}

task<std::string_view> exchange::read_sent() {
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

task<std::string> exchange::rest() {
    std::string all;
    while (true) {
        const std::string_view piece = co_await read();
        if (piece.empty()) break;
        if (all.size() + piece.size() > pool_->options.body)
            co_await fail(502, "the upstream's response exceeds the size limit of the client");
        all += piece;
    }
    co_return all;
}

task<> exchange::skip() {
    std::size_t skipped = 0;
    while (decoder_.announced() <= max_skipped && skipped <= max_skipped && !until_close_) {
        const std::string_view piece = co_await read_sent();
        if (piece.empty()) break;
        skipped += piece.size();
    }
}

// Keeps the connection only if both sides have completed this request, and no unexpected bytes have arrived.
void exchange::finish() noexcept {
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
