// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/exchange.hpp"

#include <algorithm>
#include <utility>

namespace apus::outbound::h2 {

exchange::exchange(pool& p, pool::lease l)
    : outbound::exchange(p), stream(*outbound::exchange::response), by_(l.take_shared()), reused_(by_->used()) {}

exchange::~exchange() {
    cancel_upload();
    finish();
}

void exchange::send_head(const detail::asked& req, const url& to, bool) {
    by_->begin_stream();
    reserves_ = false;
    if (!by_->open()) {
        unprocessed = true;
        failure = error(502, "the upstream closed the connection before the request");
        return;
    }
    uploads_pieces_ = static_cast<bool>(req.uploads);
    const std::string lines = field_lines_of(req, to, codings(), true);
    const std::string_view host = field_in(req.fields, "host").value_or("");
    const std::string authority = host.empty() ? to.authority() : std::string(host);
    const request_head head{req.method, to.secure ? "https" : "http", authority, to.target, lines};
    by_->streams().open(*this, head, !req.uploads && !req.has_body);
    by_->flush();
}

void exchange::send_body(const detail::asked& req, bool) {
    if (!req.has_body) return;
    by_->streams().send(*this, req.body);
    end_pieces();
}

void exchange::send_piece(std::string_view bytes) {
    by_->streams().send(*this, bytes);
    by_->flush();
}

void exchange::end_pieces() {
    by_->streams().send_end(*this);
    by_->flush();
}

// Waits for an event. Fails if the upload has failed. At `due`, fails with 504 and `late`.
task<> exchange::await_event(std::uint64_t due, const char* late) {
    if (upload_error_) co_await fail(upload_error_->status(), upload_error_->detail());
    const std::uint64_t since = pool_->loop().now();
    if (co_await reading_.until(due) != wake::late) co_return;
    by_->suspect(since);
    co_await fail(504, late);
}

// The timeout of the response head begins when the whole request is sent. Until then, each wait for progress of the
// request body has a timeout; for a streamed body, `await_room` enforces this timeout.
task<> exchange::await_head(std::uint64_t whole) {
    if (sent() && !head_due_) head_due_ = soonest(pool_->options.head);
    if (sent() || uploads_pieces_) {
        co_await await_event(sent() ? head_due_ : whole, "the upstream did not respond in time");
        co_return;
    }
    const std::size_t before = unsent();
    auto waited = co_await await_event(std::min(whole, soonest(pool_->options.between_bytes)),
                                       "the upstream did not receive the request body in time")
                      .outcome();
    const bool progressed = unsent() < before && pool_->loop().now() < whole;
    if (!waited && !(waited.error().status() == 504 && progressed))
        co_await fail(waited.error().status(), waited.error().detail());
}

task<bool> exchange::read_head(bool until_continue) {
    const std::uint64_t patience = until_continue ? soonest(continue_timeout) : 0;
    while (!has_head) {
        if (failure) co_await fail(failure->status(), failure->detail());
        if (!until_continue) {
            co_await await_head(whole_due_);
            continue;
        }
        if (continues) co_return false;
        if (co_await reading_.until(patience) != wake::late) continue;
        if (patience < whole_due_) co_return false;
        co_await fail(504, "the upstream did not respond in time");
    }
    co_return true;
}

void exchange::begin_body() {
    constexpr std::uint64_t much_body = 32 * 1024;
    if (body_left() >= much_body) by_->use_large_buffers();
    if (has_body) begin_decoding();
    else if (ended) finish();
}

task<std::string_view> exchange::read_sent() {
    give_back();
    while (by_ && !has_unread() && !ended) {
        if (failure) co_await fail(failure->status(), failure->detail());
        co_await await_event(soonest(pool_->options.between_bytes),
                             "the rest of the upstream's response did not arrive in time");
    }
    if (by_ && has_unread()) {
        by_->streams().take(*this, front_);
        co_return front_;
    }
    finish();
    co_return std::string_view();
}

// Returns flow-control window to the server for the bytes that the reader has processed.
void exchange::give_back() noexcept {
    if (!by_ || front_.empty()) return;
    by_->streams().return_window(*this, front_.size());
    front_.clear();
    by_->flush();
}

void exchange::finish() noexcept {
    cancel_upload();
    if (!by_) return;
    give_back();
    by_->streams().leave(*this);
    std::exchange(by_, nullptr)->release(reserves_);
}

}  // namespace apus::outbound::h2
