// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <barrier>
#include <deque>
#include <utility>
#include <vector>

#include "connection.hpp"
#include "network.hpp"
#include "options.hpp"
#include "results.hpp"
#include "sockets.hpp"

namespace load {

/// One thread's share of the load.
/// First, each connection is opened and gets one response; only a few are opened at a time, so that no listen
/// backlog overflows. Then all connections start together. A connection has at most one batch in flight.
class driver {
public:
    struct share {
        unsigned connections;
        double rate;
        std::size_t first_batch;
        /// Print a line on stderr when the measurement begins and ends; wait each time for a line on stdin.
        bool marks;
    };

    driver(const options&, const std::vector<batch>&, const batch& handshake, share);

    /// Opens the connections, waits at the barrier for the other threads, warms up and measures.
    void run(std::barrier<>& threads);

    const results& measured() const { return results_; }
    const results& warmed_up() const { return warmup_; }

private:
    enum class phase : std::uint8_t {
        opening,
        warming_up,
        measuring
    };

    // The phases of a run.
    void open_all();
    void run_until(std::uint64_t end);
    void turn(std::uint64_t wake);
    void on_event(const event&);
    void start_measuring(std::barrier<>& threads);
    void mark(const char* what, std::barrier<>& threads) const;
    void let_go();
    void sweep();
    void give_up_waiting(connection&);
    void resume_paused();
    std::uint64_t pump();
    std::uint64_t time_of(std::uint64_t number) const;
    void record_unanswered(std::uint64_t end);

    // Life cycle of a connection.
    void open(connection&);
    void on_connect(connection&, int result);
    void on_connected(connection&);
    void on_end(connection&, int result);
    void lose(connection&, trouble, std::string_view what);
    void drop(connection&);
    void hang_up(connection&);
    void connect_failed(connection&, int error);
    void pause(connection&);
    void settle(connection&);

    // Requests and responses.
    void ready(connection&);
    void begin(connection&, std::uint64_t due);
    void transmit(connection&);
    void receive(connection&);
    void on_data(connection&, std::string_view);
    void on_discarded(connection&, std::uint64_t bytes);
    void on_answers(connection&, std::string_view);
    void on_messages(connection&, std::string_view);
    bool count_answer(connection&);
    void count(std::uint64_t due, std::uint64_t sent);
    void finish(connection&);
    void on_handshake(connection&);

    // Broadcast: rounds of messages by one connection to all.
    void start_round();
    void on_delivery(connection&);
    void leave_round(connection&);

    const options& options_;
    const std::vector<batch>& batches_;
    const batch& handshake_;
    const share share_;
    network network_;
    socket_source sockets_;
    std::vector<connection> connections_;
    head_memory heads_;
    bool bulky_ = false;  // bodies are large; they are received without copying
    results results_, warmup_;
    phase phase_ = phase::opening;
    std::uint64_t now_ = 0;
    std::size_t next_batch_;
    unsigned started_ = 0, settled_ = 0, dead_ = 0;  // counts during the opening phase
    std::uint64_t last_settled_ = 0, next_sweep_ = 0, measured_from_ = 0;
    struct pausing {
        std::uint64_t until;
        std::uint32_t slot;
    };
    std::deque<pausing> paused_;
    std::deque<std::string> pongs_;  // kept in memory until sent, since the kernel reads them asynchronously
    double period_ = 0;              // constant rate: nanoseconds between two batches
    std::uint64_t schedule_start_ = 0, next_number_ = 0;
    std::uint64_t round_left_ = 0;  // outstanding deliveries of this round
};

}  // namespace load
