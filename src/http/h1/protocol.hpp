// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/connection.hpp"
#include "http/protocol.hpp"
#include "http/h1/core.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace apus::http::h1 {

/// HTTP/1.1 on one connection.
/// Parses requests, runs one exchange at a time, and sends responses in order. An idle connection takes little memory,
/// because the state of a request is in its exchange, and unprocessed input is in an `input_buffer`.
class protocol final : public http::protocol, runtime::timer {
public:
    protocol(core&, http::connection&, runtime::protocols);
    ~protocol() override;

    void start() override;
    void drain() override;
    void abandon() noexcept override;
    void review_input() override;

    // transport
    void request_more_body(exchange&) noexcept override;
    void write(exchange&, std::string_view bytes) override;
    void write_batch(exchange&, std::string_view batch) override;
    bool write_file(exchange&, const runtime::file_ref&, std::uint64_t at, std::uint64_t size) override;
    bool can_write(exchange&) noexcept override;
    std::span<char> body_room(exchange&) override;

private:
    enum class phase : std::uint8_t {
        idle,
        head,
        busy,
        leaving,
        replaced  // HTTP/2 has replaced this protocol
    };
    static constexpr duration linger_timeout = seconds(5);  // time for the client to close after the last response
    // `linger_timeout`, or a shorter time while the server stops
    duration leaving_timeout() const noexcept { return core_.hurries() ? core::stop_grace : linger_timeout; }

    // receiver
    void received(runtime::received_bytes) override;
    void ended(int error) override;
    void drained() override;
    void progressed(std::size_t bytes) override;
    void resumed() override;
    void handshake_begun() override;
    void secured() override;

    void stalled() override;

    // input.cpp: converts the input in core::unread to exchanges.
    void consume();
    void process_next();
    void process_buffered();
    void settle_views(std::size_t used, runtime::received_bytes);
    bool read_head();
    bool may_be_http2_preface() const noexcept;
    bool is_http2_preface() const noexcept;
    const codec::refusal* refused_version() const noexcept;
    core& own() const noexcept { return static_cast<core&>(core_); }
    void switch_to_http2();
    void count_as_http1() noexcept { connection_.decide_traffic(core_.loop.io(), connection::http1_traffic); }
    bool is_over() const noexcept { return phase_ >= phase::leaving; }
    bool read_body();
    bool next_piece();
    bool blocked() const noexcept;
    bool must_keep_head() const noexcept;
    void take(runtime::received_bytes);
    void settle_memory() noexcept;
    void watch_input();
    void keep_trailers(std::string_view);

    // request.cpp: passes exchanges to handlers.
    using http::protocol::begin;
    using http::protocol::fail;
    void begin(std::size_t head_size);
    void copy_head(std::size_t size);
    void resume(served_exchange&) override;
    bool has_room(served_exchange&, std::uint64_t bytes) override;
    void refuse_for_memory(served_exchange&) override;
    void await_whole_body(served_exchange&) override;
    void await_task(served_exchange&) override;
    void fail(served_exchange&, response) override;
    void fail_head(int status, std::string_view detail);
    void release();
    void close_connection() noexcept;
    void abort_response(served_exchange&) noexcept override;
    void end_with_client();
    void truncate_body() noexcept;

    // response.cpp: serializes responses.
    void send_response(served_exchange&) override;
    void send_head(served_exchange&, bool has_body) override;
    void end_stream(served_exchange&) override;
    std::string refused_upgrade(served_exchange&, std::string_view protocol) override;
    void begin_tunnel(served_exchange&) override;
    void say_continue(served_exchange&) override;
    char* put_fields(char* to);
    [[gnu::noinline]] char* put_other_status(char* to);
    char* write_connection_field(char* to) const;
    std::size_t head_room() const noexcept;
    void write_head(std::size_t body_room);
    // Separate from `send_response`, so that most responses do not pay for their objects in memory.
    [[gnu::noinline]] void send_drafted(char* body);
    [[gnu::noinline]] void queue_response();
    void send_batch();
    void begin_batch() noexcept;
    void queue_batch();
    void append_output(std::string_view bytes);

    // deadlines.cpp
    void set_deadline(std::uint64_t due);
    void watch_clock();
    static void tick(runtime::timer&) noexcept;
    void tick();
    void end_window();
    void begin_window();
    void await_body();
    void await_drain();
    std::uint32_t credit(std::uint32_t rate) const noexcept;
    bool wants_body_bytes() const noexcept;

    h1_exchange* x_ = nullptr;
    std::unique_ptr<input_buffer> input_;
    std::uint64_t due_ = 0;  // deadline of the phase, or the end of the rate window
    std::uint32_t requests_ = 0;
    std::uint32_t in_ = 0, out_ = 0;  // body bytes received, and queued bytes sent, in this rate window
    const runtime::protocols protocols_;
    phase phase_ : 3 = phase::idle;
    bool batching_ : 1 = false;       // the batch in the arena belongs to this connection
    bool closes_ : 1 = false;         // close after the current output
    bool client_closes_ : 1 = false;  // `closes_`, and the client sends no further requests
    bool client_ended_ : 1 = false;   // the client has shut down sending; requests may be pending
    bool windowed_ : 1 = false;       // `due_` is the end of a rate window
    bool consuming_ : 1 = false;      // `consume` is running, and must not be reentered
};

// Idle connections must take little memory: both sizes fill a block of malloc exactly.
static_assert(sizeof(protocol) <= 104 && sizeof(http::connection) <= 88);

}  // namespace apus::http::h1
