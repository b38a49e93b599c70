// SPDX-License-Identifier: Apache-2.0
#include "outbound/exchange.hpp"

#include "compression/coding.hpp"

#include <apus/sleep.hpp>

#include <algorithm>
#include <utility>

namespace apus::outbound {

exchange::exchange(pool& p) noexcept : pool_(p) {
    upload_ended_.of = resume_.of = this;
    upload_ended_.run = [](detail::completion* c) noexcept {
        exchange& self = *static_cast<ending*>(c)->of;
        if (!self.starting_) self.pool_->loop().later(self.resume_);
    };
    resume_.run = [](runtime::deferred& d) noexcept { static_cast<deferred_resume&>(d).of->settle_upload(); };
}

// The upload's coroutine may be waiting for the connection, so the coroutine must be destroyed before the connection.
void exchange::cancel_upload() noexcept {
    if (!uploading_) return;
    pool_->loop().forget(resume_);
    std::exchange(uploading_, {}).destroy();
}

std::uint64_t exchange::soonest(duration d) const noexcept { return std::min(whole_due_, pool_->loop().due_in(d)); }

task<> exchange::begin(detail::asked& req, const url& to, std::uint64_t whole_due) {
    whole_due_ = whole_due;
    to_head_ = req.method == "HEAD";
    accepts_codings_ = pool_->options.decompress && leaves_codings(req);
    const bool waits = req.expects_continue && (req.has_body || req.uploads);
    send_head(req, to, waits);
    bool answered = false;
    if (waits) answered = co_await read_head(true);
    if (!answered) {
        if (req.uploads) {
            start_upload(req);
        } else {
            send_body(req, waits);
            note_body_sent();
        }
        co_await read_head(false);
    }
    begin_body();
}

void exchange::begin_decoding() {
    if (!accepts_codings_ || response->head.status == 206) return;
    const auto coding = compression::coding_of(response->field("content-encoding"));
    if (!coding || *coding == content_coding::identity || response->count("content-encoding") != 1) return;
    decoded_ = std::make_unique<decoded_body>(*coding);
    // These fields describe the encoded body, but the caller receives the decoded body.
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

// Reads at most about `max_skipped` bytes. For a longer body, a new connection or a stream reset is cheaper.
task<> exchange::skip() {
    constexpr std::size_t max_skipped = 64 * 1024;
    std::size_t skipped = 0;
    while (announced() <= max_skipped && skipped <= max_skipped) {
        const std::string_view piece = co_await read_sent();
        if (piece.empty()) break;
        skipped += piece.size();
    }
}

}  // namespace apus::outbound
