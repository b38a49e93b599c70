// SPDX-License-Identifier: Apache-2.0
#include "outbound/exchange.hpp"

#include <utility>

// Streamed request bodies: a coroutine of the user writes the body while the client waits for the response.

namespace apus::outbound {

void exchange::start_upload(detail::asked& req) {
    uploads_ = std::move(req.uploads);
    length_ = req.length;
    uploading_ = uploads_(writer_).release();
    uploading_.promise().done = &upload_ended_;
    starting_ = true;
    uploading_.resume();
    starting_ = false;
    if (uploading_.promise().outcome) end_upload();
}

void exchange::end_upload() {
    const auto outcome = std::move(*uploading_.promise().outcome);
    std::exchange(uploading_, {}).destroy();
    if (!outcome) upload_error_ = outcome.error();
    else if (length_ != client_request::unknown_length && uploaded_ != length_)
        upload_error_ = error(500, "the request body is shorter than its declared length");
    if (upload_error_ || !is_open()) return;
    end_pieces();
    note_body_sent();
}

void exchange::settle_upload() {
    end_upload();
    if (is_open()) wake_reader();
}

void exchange::upload(std::string_view bytes) {
    if (bytes.empty() || !is_open()) return;
    uploaded_ += bytes.size();
    if (length_ == client_request::unknown_length || uploaded_ <= length_) send_piece(bytes);
}

task<> exchange::await_room() {
    if (length_ != client_request::unknown_length && uploaded_ > length_)
        co_await fail(500, "the request body is longer than its declared length");
    while (is_open() && is_full()) {
        // If the server has closed its side, the response determines the result, so this task waits until it is
        // cancelled.
        const bool late = co_await room().until(soonest(pool_->options.between_bytes)) == wake::late;
        if (late) co_await fail(504, "the upstream did not receive the request body in time");
    }
}

}  // namespace apus::outbound

namespace apus {

task<> client_writer::write(std::string_view bytes) {
    to_->upload(bytes);
    return to_->await_room();
}

}  // namespace apus
