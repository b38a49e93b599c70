// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/connection.hpp"
#include "http/h2/allowance.hpp"
#include "http/h2/core.hpp"
#include "http/h2/frame_walk.hpp"
#include "http/h2/stream_history.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus::http::h2 {

/// One HTTP/2 connection (RFC 9113): nghttp2 reads and makes frames, this makes exchanges of streams
/// and streams of what exchanges answer. All frames of one turn leave in one batch. Deletes itself
/// when closed.
class connection final : public http::connection, public carrier {
public:
    /// Takes the stream of a connection on which the client's preface has begun.
    connection(core&, http::connection& before);

    /// The first bytes, from the preface on.
    void begin(std::string_view bytes);

    void start() override {}
    void drain() override;
    void abandon() noexcept override;
    void review_input() override;

    static void set_callbacks(nghttp2_session_callbacks*);
    /// The event is over in which something of this exchange changed.
    static void attend(runtime::deferred&) noexcept;

    // carrier
    void finished(exchange&) noexcept override;
    void wants_body(exchange&) noexcept override;
    void refuse_body(exchange&, const codec::refusal& why) noexcept override;
    void write(exchange&, std::string_view bytes) override;
    bool write_file(exchange&, const runtime::file_ref&, std::uint64_t at, std::uint64_t size) override;
    bool write_may_go_on(exchange&) noexcept override;
    void find_address(exchange& x) override { write_address(x.address); }
    runtime::record_layer* records(exchange&) noexcept override { return layer().get(); }
    bool stopping() const noexcept override { return core_.draining; }

    /// Answers to PING and SETTINGS that wait. Over it: the connection is closed.
    static constexpr std::size_t unsent_acks = 256;
    /// CONTINUATION frames of a head. Over it: the connection is closed.
    static constexpr std::size_t continuations = 8;

private:
    static constexpr std::size_t batch_most = 47 * 1024;  // of one send; with one more frame a chunk of the arena
    enum class phase : std::uint8_t {
        open,
        leaving
    };
    static constexpr duration patience = seconds(5);       // with a client that has its last answer
    static constexpr duration rest = milliseconds(250);    // without a stream: then it may last
    static constexpr duration moment = milliseconds(300);  // for requests on their way, when draining begins

    ~connection();

    // stream
    void received(runtime::received_bytes) override;
    void ended(int error) override;
    void stalled() override {}
    void drained() override;
    void progressed(std::size_t bytes) override;
    void resumed() override { flush(); }
    void closed() noexcept override;

    // callbacks.cpp: what the session tells.
    int on_begin_frame(const nghttp2_frame_hd&);
    int on_begin_headers(const nghttp2_frame&);
    int refuse_stream(std::int32_t id);
    int on_header(const nghttp2_frame&, std::string_view name, std::string_view value);
    int on_frame(const nghttp2_frame&);
    int on_data(std::int32_t id, std::string_view bytes);
    int on_close(std::int32_t id, std::uint32_t code);
    void on_sent(const nghttp2_frame&);
    void on_window_update(const nghttp2_frame&);
    void note_frame(const frame_head&);
    int too_much(std::uint64_t& counted);
    h2_exchange* of_stream(std::int32_t) const noexcept;

    // connection.cpp
    void consume(std::string_view);
    void flush();
    void send_frames();
    void tell_streams(char* settings) noexcept;
    void give_up_blocked();
    void leave();
    void close() noexcept;
    void end_gracefully();

    // request.cpp: streams to exchanges to handlers.
    void begin_request(h2_exchange&);
    bool accepts_body(h2_exchange&);
    void run(h2_exchange&);
    void answered(h2_exchange&);
    void attend(h2_exchange&);
    void release(h2_exchange&) noexcept;
    void fail(h2_exchange&, int status, std::string_view detail);
    void fail(h2_exchange&, response);
    void reset(h2_exchange&, std::uint32_t code) noexcept;

    // body.cpp: bodies of requests.
    void take_body(h2_exchange&, std::string_view);
    void end_body(h2_exchange&);
    void give_piece(h2_exchange&);
    void add_trailer(h2_exchange&, std::string_view name, std::string_view value);
    void consumed(h2_exchange&, std::size_t) noexcept;
    void say_continue(h2_exchange&);

    // memory.cpp: the bound on what all streams hold together.
    void settle(h2_exchange&) noexcept;
    void settle_memory() noexcept;
    std::size_t bodies_most(unsigned eighths) const noexcept;
    bool is_first_body(const h2_exchange&) const noexcept;
    bool withholds(const h2_exchange&) const noexcept;
    bool has_memory(h2_exchange&);
    void give_withheld() noexcept;
    void watch_bodies() noexcept;
    bool postpone(h2_exchange&) noexcept;
    void run_postponed();
    void refuse(h2_exchange&);

    // response.cpp: answers to frames.
    void respond(h2_exchange&);
    void respond_in_pieces(h2_exchange&);
    void submit_head(h2_exchange&, bool has_body);
    void begin_tunnel(h2_exchange&);
    void end_pieces(h2_exchange&, bool ok);
    void more_to_send(h2_exchange&) noexcept;
    void sent_all(h2_exchange&);
    void submit_trailers(h2_exchange&);
    void log_response(h2_exchange&);

    // data.cpp: bodies of responses, as the session asks for them.
    static ssize_t read_data(nghttp2_session*, std::int32_t, std::uint8_t*, std::size_t, std::uint32_t*,
                             nghttp2_data_source*, void*) noexcept;
    static int send_data(nghttp2_session*, nghttp2_frame*, const std::uint8_t*, std::size_t, nghttp2_data_source*,
                         void*) noexcept;
    ssize_t next_data(h2_exchange&, std::size_t most, std::uint32_t& flags);
    int write_data(h2_exchange&, const std::uint8_t* head, std::size_t size);

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
    void expect_handler(h2_exchange&);

    core& own_;
    http::core& core_;
    nghttp2_session* session_ = nullptr;
    void* streams_ = nullptr;         // where the session finds them, or null
    h2_exchange* first_ = nullptr;    // all whose streams are open
    h2_exchange* heading_ = nullptr;  // the latest of them to get a field, if it is still there
    struct ticking : runtime::timer {
        connection* of;
    } timer_;
    struct flushing : runtime::deferred {
        connection* of;
    } flush_;
    std::uint64_t quiet_due_ = 0;      // until which the client may have no stream, or its last answer
    std::uint64_t rest_due_ = 0;       // after which memory is given back while there is no stream
    std::uint64_t frame_due_ = 0;      // of a frame that has begun
    std::uint64_t handler_due_ = 0;    // none of a handler is earlier
    std::uint64_t window_due_ = 0;     // no rate window ends earlier
    std::uint64_t socket_window_ = 0;  // when that of all that the socket does not take began; 0: none
    std::uint64_t drain_due_ = 0;      // when the last stream's number is told
    allowance resets_, controls_;
    stream_history history_;
    frame_walk walk_{NGHTTP2_CLIENT_MAGIC_LEN};
    std::uint64_t requests_ = 0;
    std::int32_t last_stream_ = 0;  // that the client has opened
    std::uint32_t open_ = 0;        // streams
    std::uint32_t owing_ = 0;       // of them, that have bytes for the client
    std::uint32_t out_ = 0;         // bytes that the socket took of those that waited, in its window
    std::uint32_t batch_most_ = 0;  // bytes of the batch that is being made, but for its last frame
    std::uint32_t frame_ = 0;       // which frame `frame_due_` is of
    std::size_t bodies_ = 0;        // bytes that the exchanges hold
    std::size_t withheld_ = 0;      // bytes of window that their clients get back later
    std::uint32_t postponed_ = 0;   // streams whose handlers wait for answers to go
    phase phase_ = phase::open;
    bool in_session_ = false;  // the session runs: it must not be called again, or deleted
    bool paused_ = false;      // nothing is received until something is sent
    bool broken_ = false;      // to be closed when the session has returned
    bool client_ended_ = false;
    bool calmed_ = false;        // it was told that it does too much
    bool told_last_ = false;     // by a GOAWAY: no further stream
    bool told_streams_ = false;  // the client is told how many it may open
};

}  // namespace apus::http::h2
