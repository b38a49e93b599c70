// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/connection.hpp"
#include "http/h1/core.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace apus::http::h1 {

/// One HTTP/1.1 connection: heads and bodies come in, exchanges are made of them one at a time,
/// and their responses go out in order. Deletes itself when closed. Small while idle: what a
/// request needs is in its exchange, and bytes that wait are in `held_input`.
class connection final : public http::connection, public carrier {
public:
    connection(core&, int fd, runtime::protocols = runtime::protocols::every);

    void start() override;
    void drain() override;
    void abandon() noexcept override;
    void review_input() override;

    /// The event is over in which something of this exchange changed.
    static void attend(runtime::deferred&) noexcept;

    // carrier
    void finished(exchange&) noexcept override;
    void wants_body(exchange&) noexcept override;
    void refuse_body(exchange&, const codec::refusal& why) noexcept override;
    void write(exchange&, std::string_view bytes) override;
    void write_batch(exchange&, std::string_view batch) override;
    bool write_file(exchange&, const runtime::file_ref&, std::uint64_t at, std::uint64_t size) override;
    bool write_may_go_on(exchange&) noexcept override;
    void find_address(exchange& x) override { write_address(x.address); }
    runtime::record_layer* records(exchange&) noexcept override { return layer().get(); }
    bool stopping() const noexcept override { return core_.draining; }

private:
    enum class phase : std::uint8_t {
        idle,
        head,
        busy,
        leaving
    };
    static constexpr duration patience = seconds(5);       // with a client that has its last answer
    static constexpr duration moment = milliseconds(300);  // in place of it, while draining

    ~connection();

    // stream
    void received(runtime::received_bytes) override;
    void ended(int error) override;
    void drained() override;
    void progressed(std::size_t bytes) override;
    void resumed() override;
    void handshake_begun() override;
    void secured() override;
    void closed() noexcept override;

    void stalled() override;

    // input.cpp: bytes to exchanges. What is to be used is in core::unread.
    void consume();
    void go_on();
    void use_held();
    void settle_views(std::size_t used, runtime::received_bytes);
    bool read_head();
    bool begins_http2() const noexcept;
    bool is_surely_http2() const noexcept;
    const codec::refusal* refused_version() const noexcept;
    void hand_over();
    bool read_body();
    bool next_piece();
    bool blocked() const noexcept;
    bool needs_head() const noexcept;
    void take(runtime::received_bytes);
    void settle_memory() noexcept;
    void watch_input();
    void keep_trailers(std::string_view);

    // request.cpp: exchanges to handlers.
    void begin(std::size_t head_size);
    void copy_head(std::size_t size);
    bool accepts_body();
    bool has_memory();
    void run();
    void answered();
    void attend();
    void release();
    void close() noexcept;
    void break_off() noexcept;
    void end_with_client();
    void cut_body() noexcept;

    // response.cpp: responses to bytes.
    void respond();
    void respond_in_pieces();
    void write_head(std::size_t body_room);
    void end_pieces(bool ok);
    void begin_tunnel();
    bool may_upgrade() const noexcept;
    void send_batch();
    void begin_batch() noexcept;
    void queue_batch();
    void put_out(std::string_view bytes);
    void begin_unparsed();
    void fail(int status, std::string_view detail);
    void fail(response);
    void say_continue();
    void log_response();

    // deadlines.cpp
    void expect_by(std::uint64_t due);
    void watch_clock();
    static void tick(runtime::timer&) noexcept;
    void tick();
    void end_window();
    void begin_window();
    void await_body();
    void await_drain();
    std::uint32_t credit(std::uint32_t rate) const noexcept;
    bool wants_body_bytes() const noexcept;

    core& core_;
    h1_exchange* x_ = nullptr;
    bool batching_ = false;  // the batch in the arena is of this connection
    bool tunnels_ = false;   // bytes go both ways, after a 101, to the end
    std::unique_ptr<held_input> input_;
    struct ticking : runtime::timer {
        connection* of;
    } timer_;
    std::uint64_t due_ = 0;  // of the phase, or the end of the window that rates are measured in
    std::uint32_t requests_ = 0;
    std::uint32_t in_ = 0, out_ = 0;  // bytes of body, and of response that waited, in this window
    const runtime::protocols spoken_;
    phase phase_ = phase::idle;
    bool closes_ = false;         // after what is being sent
    bool client_closes_ = false;  // and the client said that it sends no more
    bool client_ended_ = false;   // its side, with requests that are still to be answered
    bool windowed_ = false;       // due_ ends a window
    bool consuming_ = false;      // `consume` runs: what it calls must not call it again
};

static_assert(sizeof(connection) <= 240, "ten thousand idle connections must stay cheap");

}  // namespace apus::http::h1
