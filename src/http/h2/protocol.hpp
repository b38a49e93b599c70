// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/hpack/decoder.hpp"
#include "codec/hpack/encoder.hpp"
#include "codec/http2/frame.hpp"
#include "http/connection.hpp"
#include "http/protocol.hpp"
#include "http/h2/rate_limiter.hpp"
#include "http/h2/core.hpp"
#include "http/h2/early_priorities.hpp"
#include "http/h2/frame_reader.hpp"
#include "http/h2/send_queue.hpp"
#include "http/h2/stream_history.hpp"
#include "http/h2/stream_table.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace apus::http::h2 {

using codec::http2::error_code;

/// HTTP/2 on one connection (RFC 9113).
/// Converts frames to exchanges, and responses to frames. Frames of one event loop iteration are sent in one batch.
class protocol final : public http::protocol, runtime::timer, runtime::deferred {
public:
    /// Takes over a connection on which the client's preface has begun.
    protocol(core&, http::connection&);
    ~protocol() override;

    /// Processes the first bytes, which begin with the preface.
    void begin(std::string_view bytes);

    void start() override {}
    void drain() override;
    void abandon() noexcept override;
    void review_input() override;

    // transport
    void request_more_body(exchange&) noexcept override;
    void write(exchange&, std::string_view bytes) override;
    bool write_file(exchange&, const runtime::file_ref&, std::uint64_t at, std::uint64_t size) override;
    bool can_write(exchange&) noexcept override;

    /// Maximum unsent acknowledgements of PING and SETTINGS. Above this, the connection is closed.
    static constexpr unsigned unsent_acks = 256;
    /// Maximum CONTINUATION frames per header block. Above this, the connection is closed.
    static constexpr unsigned continuations = 8;

private:
    // bytes per send; a batch with one more frame fits into a chunk of the arena
    static constexpr std::size_t max_batch_bytes = 47 * 1024;
    enum class phase : std::uint8_t {
        open,
        leaving
    };
    static constexpr duration linger_timeout = seconds(5);     // time for the client to close after the last response
    static constexpr duration rest_after = milliseconds(250);  // time without streams until memory is released
    // time for requests in transit when draining begins
    duration drain_grace() const noexcept { return core_.hurries() ? http::core::stop_grace : seconds(1); }

    // receiver
    void received(runtime::received_bytes) override;
    void ended(int error) override;
    void stalled() override {}
    void drained() override;
    void progressed(std::size_t bytes) override;
    void resumed() override { flush(); }

    using frame_head = codec::http2::frame_head;

    // frames.cpp: frames of the client.
    bool admit(const frame_head&);
    bool is_idle(std::uint32_t stream) const noexcept { return stream > last_stream_ || stream % 2 == 0; }
    void take_frame(const frame_head&, std::string_view payload);
    void take_data(const frame_reader::item&);
    void begin_data(const frame_head&);
    void end_request(h2_exchange&);
    void reject_body(h2_exchange&);
    void take_reset(const frame_head&, std::string_view payload);
    void take_settings(const frame_head&, std::string_view payload);
    void take_ping(const frame_head&, std::string_view payload);
    void take_priority_update(std::string_view payload);
    void note_ack();
    void fail_connection(error_code);
    void terminate(error_code);
    void end_flood(base::counter& counted);

    // heads.cpp: header blocks of the client.
    void take_headers(const frame_head&, std::string_view payload);
    void take_continuation(const frame_head&, std::string_view payload);
    h2_exchange* open_stream(std::uint32_t id);
    h2_exchange* reopen_stream(std::uint32_t id);
    void refuse_stream(std::uint32_t id);
    void take_block(std::string_view fragment, bool ends);
    bool take_field(std::string_view& in);
    void add_field(h2_exchange&, const codec::hpack::field&);
    void end_block();
    void reject_malformed(h2_exchange&);
    void order_response(h2_exchange&);

    // windows.cpp: flow control.
    std::uint32_t stream_window() const noexcept;
    bool receive_flow(h2_exchange*, std::uint32_t bytes);
    void return_window(std::size_t bytes);
    void return_window(h2_exchange&, std::size_t bytes);
    void take_window_update(const frame_head&, std::string_view payload);
    bool resize_windows(std::uint32_t initial);

    // protocol.cpp
    void consume(std::string_view);
    void read_frames(std::string_view);
    void flush();
    void send_frames();
    void send_goaway(std::uint32_t last, error_code);
    frame_buffer& output() noexcept;
    void return_output() noexcept;
    bool has_output() const noexcept;
    bool is_over() const noexcept;
    void rest();
    void reset_blocked();
    void leave();
    void close_connection() noexcept;
    void end_gracefully();

    // request.cpp: passes requests to handlers.
    using http::protocol::begin;
    using http::protocol::run;
    void begin_request(h2_exchange&);
    void resume(served_exchange&) override;
    void abort_response(served_exchange&) noexcept override;
    void release(h2_exchange&) noexcept;
    void reset(h2_exchange&, error_code) noexcept;
    void close_stream(h2_exchange&, bool cut_off);
    void note_end(const h2_exchange&, bool cut_off);
    void forget(h2_exchange&) noexcept;
    stream_history& history();
    void release_doomed() noexcept;

    // body.cpp: bodies of requests.
    void take_body(h2_exchange&, std::string_view);
    void end_body(h2_exchange&);
    void deliver_piece(h2_exchange&);
    void add_trailer(h2_exchange&, const codec::hpack::field&);
    void consumed(h2_exchange&, std::size_t) noexcept;
    void say_continue(served_exchange&) override;
    void await_whole_body(served_exchange&) override;

    // memory.cpp: the memory limit of all streams.
    void settle(h2_exchange&) noexcept;
    void settle_memory() noexcept;
    std::size_t body_limit(unsigned eighths) const noexcept;
    bool is_first_body(const h2_exchange&) const noexcept;
    bool defers_window(const h2_exchange&) const noexcept;
    bool has_room(served_exchange&, std::uint64_t bytes) override;
    void refuse_for_memory(served_exchange&) override;
    void return_deferred_window() noexcept;
    void check_body_rates() noexcept;
    bool postpone(served_exchange&) override;
    void run_postponed();

    // response.cpp: converts responses to frames.
    void send_response(served_exchange&) override;
    void send_head(served_exchange&, bool has_body) override;
    void end_stream(served_exchange&) override;
    std::string refused_upgrade(served_exchange&, std::string_view protocol) override;
    void submit_head(h2_exchange&, bool has_body);
    void begin_tunnel(served_exchange&) override;
    void more_to_send(h2_exchange&) noexcept;
    void sent_all(h2_exchange&);
    void write_trailers(h2_exchange&, runtime::output_arena&);

    // data.cpp: bodies of responses.
    bool send_small(h2_exchange&);
    void enqueue(h2_exchange&);
    bool send_data(runtime::output_arena&);
    void write_data(h2_exchange&, runtime::output_arena&, std::size_t size);
    bool copy_body(h2_exchange&, char* to, std::size_t size);
    bool may_send_data() const noexcept;

    // deadlines.cpp
    void watch_clock();
    static void tick(runtime::timer&) noexcept;
    void tick();
    void watch_frame();
    void end_frame() noexcept;
    void begin_window(h2_exchange&) noexcept;
    void watch_sending() noexcept;
    void expect_window() noexcept;
    void end_windows(std::uint64_t now);
    void judge(h2_exchange&, std::uint64_t window);
    bool waits(const h2_exchange&) const noexcept;
    void end_handlers(std::uint64_t now);
    bool wants_body_bytes(const h2_exchange&) const noexcept;
    static bool lingers(const h2_exchange&) noexcept;
    void await_task(served_exchange&) override;

    core& own_;
    h2_exchange* first_ = nullptr;  // exchanges of open streams, and doomed exchanges
    stream_table streams_;          // exchanges of open streams
    send_queue sending_;            // exchanges that may send
    frame_buffer out_;              // frames to send; DATA frames only if they are small
    frame_reader reader_;
    codec::hpack::decoder decoder_;
    codec::hpack::encoder encoder_;
    std::string cut_;                       // incomplete field at the end of a header block fragment
    h2_exchange* head_exchange_ = nullptr;  // exchange of the current header block; null: the block is skipped
    h2_exchange* data_ = nullptr;           // exchange of the current DATA frame; null: skipped
    std::unique_ptr<stream_history> history_;
    std::unique_ptr<early_priorities> priorities_;
    known_authority authority_;
    std::uint64_t idle_due_ = 0;       // end of the idle time, or of lingering
    std::uint64_t rest_due_ = 0;       // when to release memory if no stream is open
    std::uint64_t frame_due_ = 0;      // deadline of an incomplete frame
    std::uint64_t handler_due_ = 0;    // earliest deadline of a handler, or an earlier time
    std::uint64_t window_due_ = 0;     // end of the first rate window, or an earlier time
    std::uint64_t socket_window_ = 0;  // start of the rate window of unsent output; 0: none
    std::uint64_t drain_due_ = 0;      // when to announce the last stream
    rate_limiter resets_, controls_;
    std::uint64_t requests_ = 0;
    std::uint32_t last_stream_ = 0;       // last stream opened by the client
    std::uint32_t forgotten_stream_ = 0;  // the history was released for streams up to this stream
    std::uint32_t processed_stream_ = 0;  // last stream that was not ignored
    std::uint32_t block_stream_ = 0;      // stream of an incomplete header block; 0: none
    std::uint32_t open_ = 0;              // number of exchanges
    std::uint32_t unsent_exchanges_ = 0;  // exchanges with bytes to send
    std::uint32_t answered_ = 0;          // finished streams that may have frames in `out_`
    std::uint32_t out_bytes_ = 0;         // bytes sent in the rate window of the socket
    std::uint32_t frame_ = 0;             // number of the frame with deadline `frame_due_`
    std::uint32_t received_ = 0;          // used bytes of the connection's flow-control window
    std::uint32_t consumed_ = 0;          // bytes of `received_` that the next WINDOW_UPDATE returns
    std::int32_t send_window_ = codec::http2::default_window;   // client's window for the connection
    std::int32_t first_window_ = codec::http2::default_window;  // client's window for each new stream
    std::size_t bodies_ = 0;                                    // bytes of memory of the exchanges
    std::size_t deferred_window_ = 0;                           // window bytes of streams, not yet returned
    std::uint32_t postponed_ = 0;                               // streams whose handlers wait until responses are sent
    std::uint16_t acks_ = 0;                                    // unsent acknowledgements
    std::uint8_t continuations_ = 0;                            // CONTINUATION frames of this header block
    phase phase_ = phase::open;
    bool in_callback_ = false;  // input or output is being processed: do not send or close now
    bool paused_ = false;       // reading is paused
    bool broken_ = false;       // close after the current event
    bool terminated_ = false;   // an error GOAWAY was sent, and no more input is read
    bool client_ended_ = false;
    bool goaway_received_ = false;        // the client has sent GOAWAY
    bool flood_counted_ = false;          // the flood is already counted
    bool last_stream_announced_ = false;  // the last stream was announced by GOAWAY
    bool settings_received_ = false;      // the client's first SETTINGS was received
    bool settings_known_ = false;         // the client has acknowledged the server's SETTINGS
    bool doomed_ = false;                 // there are doomed exchanges
    bool output_unwatched_ = false;       // exchanges with unsent bytes may have no rate window yet
    bool block_ends_stream_ = false;
    bool block_is_request_ = false;
};

}  // namespace apus::http::h2
