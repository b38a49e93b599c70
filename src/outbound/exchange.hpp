// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/decoded_body.hpp"
#include "outbound/pool.hpp"
#include "outbound/received.hpp"

#include <apus/client.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace apus::outbound {

/// One request and its response, in any version of HTTP.
/// The destructor of an incomplete exchange abandons the request and cancels the upload.
class exchange {
public:
    exchange(const exchange&) = delete;
    exchange& operator=(const exchange&) = delete;
    virtual ~exchange() = default;

    /// Sends the request and receives the response head.
    /// `whole_due` is the deadline of the whole exchange, in milliseconds of the loop's clock.
    task<> begin(detail::asked&, const url&, std::uint64_t whole_due);

    /// Returns the next piece of the response body; empty at the end.
    /// The piece is decoded if the client requested a coding.
    task<std::string_view> read() { return decoded_ ? read_decoded() : read_sent(); }
    task<std::string> rest();
    task<> skip();  ///< Reads the rest of an unwanted body if the rest is small, so that the connection can be reused.

    /// Whether a reused connection was closed before the first byte of the response.
    virtual bool is_stale() const noexcept = 0;
    /// Whether the server has declared that it did not process the request (RFC 9113, 8.7).
    virtual bool is_unprocessed() const noexcept { return false; }
    /// Whether other exchanges may use the connection at the same time.
    virtual bool is_multiplexed() const noexcept { return false; }
    void forget_deadline() noexcept { whole_due_ = ~std::uint64_t{0}; }

    void upload(std::string_view bytes);
    task<> await_room();

    std::unique_ptr<received> response = std::make_unique<received>();

protected:
    explicit exchange(pool&) noexcept;

    /// Sends the head. `waits`: the body follows after a 100 (Continue) response or a timeout.
    virtual void send_head(const detail::asked&, const url&, bool waits) = 0;
    virtual void send_body(const detail::asked&, bool waits) = 0;  ///< Sends the body if there is one.
    /// Returns true when the final head has arrived.
    /// With `until_continue`, returns false after a 100 response, or after one second without any response.
    virtual task<bool> read_head(bool until_continue) = 0;
    virtual void begin_body() = 0;
    virtual task<std::string_view> read_sent() = 0;
    virtual std::uint64_t announced() const noexcept = 0;  ///< Remaining bytes of the response body, as far as known.

    virtual bool is_open() const noexcept = 0;  ///< Whether the exchange still has its connection or stream.
    virtual void send_piece(std::string_view bytes) = 0;
    virtual void end_pieces() = 0;
    /// Whether an upload must wait before it sends more.
    virtual bool is_full() const noexcept = 0;
    virtual waiter& room() noexcept = 0;       ///< Notified when `is_full` may have changed.
    virtual void wake_reader() noexcept = 0;   ///< Resumes `read_head` or `read_sent`, since the upload has ended.
    virtual void note_body_sent() noexcept {}  ///< Called when the whole body was passed to the connection.

    std::uint64_t soonest(duration d) const noexcept;
    std::string_view codings() const noexcept { return accepts_codings_ ? "gzip, br, zstd" : ""; }
    void begin_decoding();
    void cancel_upload() noexcept;

    static constexpr duration continue_timeout = seconds(1);

    pool_hold pool_;
    std::uint64_t whole_due_ = 0;
    bool to_head_ = false;
    std::optional<error> upload_error_;
    std::uint64_t length_ = 0, uploaded_ = 0;

private:
    struct ending : detail::completion {
        exchange* of;
    };
    struct deferred_resume : runtime::deferred {
        exchange* of;
    };

    task<std::string_view> read_decoded();
    void start_upload(detail::asked&);
    void settle_upload();
    void end_upload();

    bool accepts_codings_ = false;  // the HTTP client sets Accept-Encoding, and decodes the response
    std::unique_ptr<decoded_body> decoded_;

    detail::upload uploads_;
    client_writer writer_{*this};
    task<>::handle uploading_;
    ending upload_ended_;
    deferred_resume resume_;
    bool starting_ = false;
};

/// Returns the field lines of a request, without an empty line.
/// `codings` is the value of Accept-Encoding; empty: omit this field. With `http2`, does not add Host and
/// Transfer-Encoding.
std::string field_lines_of(const detail::asked&, const url&, std::string_view codings, bool http2);

/// Returns the head of an HTTP/1.1 request, including the empty line.
std::string head_of(const detail::asked&, const url&, std::string_view codings = {});

/// Returns the value of the first field line with this name, ignoring case.
/// `lines` has the form that `http::split_line` reads.
std::optional<std::string_view> field_in(std::string_view lines, std::string_view name) noexcept;

/// Whether the client may set Accept-Encoding.
/// Returns false if the user's code has set this field, and for Range requests, since a part of an encoded body cannot
/// be decoded.
bool leaves_codings(const detail::asked&);

}  // namespace apus::outbound
