// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/request_head.hpp"
#include "http/h1/body_decoder.hpp"
#include "outbound/exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace apus::outbound {

/// An HTTP/1.1 exchange, on an exclusive connection.
/// The destructor of an incomplete exchange closes the connection.
class h1_exchange final : public exchange {
public:
    h1_exchange(pool&, pool::lease);
    ~h1_exchange() override { cancel_upload(); }

    bool is_stale() const noexcept override { return reused_ && !response_begun_; }

private:
    void send_head(const detail::asked&, const url&, bool waits) override;
    void send_body(const detail::asked&, bool waits) override;
    task<bool> read_head(bool until_continue) override;
    void begin_body() override;
    task<std::string_view> read_sent() override;
    std::uint64_t announced() const noexcept override;

    bool is_open() const noexcept override { return lease_.has_value(); }
    void send_piece(std::string_view bytes) override;
    void end_pieces() override;
    bool is_full() const noexcept override { return io().ended() || io().unsent() > transport::high_water; }
    waiter& room() noexcept override { return io().writing; }
    void wake_reader() noexcept override { io().reading.notify(); }
    void note_body_sent() noexcept override;

    transport& io() const noexcept { return lease_->io(); }
    task<> more(std::uint64_t due, const char* late);
    void finish() noexcept;

    std::optional<pool::lease> lease_;
    codec::http1::head_limits limits_;
    http::h1::body_decoder decoder_;
    std::unique_ptr<codec::http1::trailer_section> trailers_;
    std::uint64_t head_due_ = 0;  // deadline of the head; 0 while the request is still being sent
    std::size_t lent_ = 0;        // received bytes of the last piece from `read_sent`; the next call consumes them
    unsigned interim_ = 0;
    bool reused_;
    bool response_begun_ = false;  // a byte of the response has arrived
    bool begun_ = false;           // the final head has arrived
    bool until_close_ = false;
    bool keep_alive_ = false;
    bool sent_ = false;  // the whole request was sent
};

}  // namespace apus::outbound
