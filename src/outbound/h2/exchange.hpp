// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/exchange.hpp"
#include "outbound/h2/connection.hpp"
#include "outbound/h2/stream.hpp"
#include "outbound/transport.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::outbound::h2 {

/// An HTTP/2 exchange, on a stream of a shared connection.
/// The destructor of an incomplete exchange resets the stream.
class exchange final : public outbound::exchange, stream {
public:
    exchange(pool&, pool::lease);
    ~exchange() override;

    bool is_stale() const noexcept override { return reused_ && lost && !begun; }
    bool is_unprocessed() const noexcept override { return unprocessed; }
    bool is_multiplexed() const noexcept override { return true; }

private:
    void send_head(const detail::asked&, const url&, bool waits) override;
    void send_body(const detail::asked&, bool waits) override;
    task<bool> read_head(bool until_continue) override;
    void begin_body() override;
    task<std::string_view> read_sent() override;
    std::uint64_t announced() const noexcept override { return body_left(); }

    bool is_open() const noexcept override { return by_ != nullptr; }
    void send_piece(std::string_view bytes) override;
    void end_pieces() override;
    // If the server has stopped reading, the response determines the result: the upload waits until it is cancelled.
    bool is_full() const noexcept override { return refuses_body || failure || unsent() > session::high_water; }
    waiter& room() noexcept override { return writing_; }
    void wake_reader() noexcept override { reading_.notify(); }

    void on_event() noexcept override { reading_.notify(); }
    void on_room() noexcept override { writing_.notify(); }

    task<> await_event(std::uint64_t due, const char* late);
    task<> await_head(std::uint64_t due);
    void give_back() noexcept;
    void finish() noexcept;

    waiter reading_, writing_;
    connection* by_;              // null: the stream has left the session
    std::string front_;           // the last piece that `read_sent` returned
    std::uint64_t head_due_ = 0;  // deadline of the head; 0 while the request is still being sent
    bool uploads_pieces_ = false;
    bool reserves_ = true;  // the stream has not been opened
    bool reused_;
};

}  // namespace apus::outbound::h2
