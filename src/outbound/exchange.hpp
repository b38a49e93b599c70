// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/h1/body_decoder.hpp"
#include "outbound/decoded_body.hpp"
#include "outbound/pool.hpp"
#include "outbound/received.hpp"

#include <apus/client.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace apus::outbound {

/// One request and its response on a connection of its own.
/// If destroyed early, it closes the connection and cancels the upload.
class exchange {
public:
    exchange(pool&, pool::lease);
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;
    ~exchange();

    /// Sends the request and receives the response head.
    /// `whole_due` is the deadline of the whole exchange, in milliseconds of the loop's clock.
    task<> begin(detail::asked&, const url&, std::uint64_t whole_due);

    /// Returns the next piece of the body, decoded if the client requested a coding.
    task<std::string_view> read() { return decoded_ ? read_decoded() : read_sent(); }
    task<std::string> rest();
    task<> skip();  ///< reads the rest of an unwanted body if it is small, so that the connection can be reused

    /// Whether a reused connection was closed before the first byte of the response.
    bool is_stale() const noexcept { return reused_ && !response_begun_; }
    void forget_deadline() noexcept { whole_due_ = ~std::uint64_t{0}; }

    void upload(std::string_view bytes);
    task<> await_room();

    std::unique_ptr<received> response = std::make_unique<received>();

private:
    struct ending : detail::completion {
        exchange* of;
    };
    struct deferred_resume : runtime::deferred {
        exchange* of;
    };

    transport& io() const noexcept { return lease_->io(); }
    std::uint64_t soonest(duration d) const noexcept;
    task<bool> read_head(bool until_continue);
    task<> more(std::uint64_t due, const char* late);
    void begin_body();
    void begin_decoding();
    task<std::string_view> read_sent();
    task<std::string_view> read_decoded();
    void finish() noexcept;

    void start_upload(detail::asked&);
    void settle_upload();
    void end_upload();
    void cancel_upload() noexcept;

    pool_hold pool_;
    std::optional<pool::lease> lease_;
    codec::http1::head_limits limits_;
    http::h1::body_decoder decoder_;
    std::unique_ptr<codec::http1::trailer_section> trailers_;
    std::uint64_t whole_due_ = 0;
    std::uint64_t head_due_ = 0;  // deadline of the head; 0 while the request is still being sent
    std::size_t lent_ = 0;        // number of bytes that `read` has returned; they are valid until its next call
    unsigned interim_ = 0;
    bool reused_;
    bool response_begun_ = false;  // a byte of the response has arrived
    bool begun_ = false;           // the final head has arrived
    bool to_head_ = false;
    bool until_close_ = false;
    bool keep_alive_ = false;
    bool sent_ = false;             // the whole request was sent
    bool accepts_codings_ = false;  // the HTTP client, not the user's code, has set Accept-Encoding
    std::unique_ptr<decoded_body> decoded_;

    detail::upload uploads_;
    client_writer writer_{*this};
    task<>::handle uploading_;
    ending upload_ended_;
    deferred_resume resume_;
    std::optional<error> upload_error_;
    std::uint64_t length_ = 0, uploaded_ = 0;
    bool starting_ = false;
};

/// Returns the head of a request, including the empty line.
/// `codings` is the value for Accept-Encoding; empty: no such field.
std::string head_of(const detail::asked&, const url&, std::string_view codings = {});

/// Whether one of these field lines, which end in CRLF, has the name.
bool has_field(std::string_view lines, std::string_view name) noexcept;

/// Whether the client may set Accept-Encoding.
/// Returns false if the user has set it, and for Range requests, since a part of an encoded body cannot be decoded.
bool leaves_codings(const detail::asked&);

}  // namespace apus::outbound
