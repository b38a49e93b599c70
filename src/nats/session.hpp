// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/nats/operation.hpp"
#include "nats/call.hpp"
#include "nats/handshake.hpp"
#include "nats/listener.hpp"
#include "nats/nats_counts.hpp"
#include "nats/shared_state.hpp"
#include "runtime/loop.hpp"
#include "runtime/per_core.hpp"
#include "runtime/reconnect_delay.hpp"

#include <apus/task_scope.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace apus::nats {

/// The connection of one core, with its requests and subscriptions.
/// Established on first use, and again after it was lost while calls wait or there are subscriptions. All output of an
/// event loop iteration is sent together.
class session final : public runtime::per_core<session, const shared_state>, outbound::transport::watcher {
public:
    explicit session(std::shared_ptr<const shared_state>);
    ~session();

    /// Sends a message at once if the connection has room, and no call waits. Returns false otherwise.
    bool try_publish(const outgoing&);
    void submit(call&);
    void leave(call&) noexcept;  ///< Removes a call that is finished or abandoned.
    /// Called when a call's deadline has passed, or when the call has waited too long for a connection.
    void late(call&) noexcept;

    void add(listener&);
    void remove(listener&) noexcept;
    std::uint64_t next_number() noexcept { return ++last_number_; }
    /// Returns the subject for the response to a request with this number.
    std::string inbox(std::uint64_t number) const { return inbox_ + std::to_string(number); }

    std::size_t unsent() const noexcept { return io_ ? io_->unsent() : 0; }  ///< Bytes of output that wait.
    runtime::loop& loop() noexcept { return loop_; }
    runtime::instrument_group& counts() noexcept { return counts_; }
    const client_options& options() const noexcept { return state_->options; }
    /// Returns the time that is this duration from now, in milliseconds of the loop's clock.
    std::uint64_t after(duration d) const noexcept { return loop_.due_in(std::max(d, duration())); }

private:
    static constexpr std::size_t most_unsent = std::size_t(1) << 20U;
    static constexpr std::uint64_t short_life = 1'000;  // ms; a connection lost within this time counts as a failure

    struct expected_pong {
        call* flush;            // null: none, or its task was destroyed
        bool confirms = false;  // whether subscriptions wait for it
    };
    struct session_timer : runtime::timer {
        session* of;
    };

    void on_event(outbound::transport&) noexcept override { receive(); }
    void has_room(outbound::transport&) noexcept override;

    void set_timer(call&) noexcept;
    void dispatch();
    void send(call&);
    void send_ping(expected_pong);
    void send_subscriptions();
    bool is_needed() const noexcept { return !waiting_.empty() || !listeners_.empty(); }
    void open();
    task<> connect_one();
    void opened(connected);
    void receive();
    bool on_operation(const codec::nats::operation&);
    void on_message(const codec::nats::operation&);
    void on_response(const codec::nats::operation&);
    void on_pong();
    void send_pong();
    void on_error(std::string_view text);
    void check();
    void start_checks() noexcept;
    void lost(std::string_view why);
    void note_unreachable(std::string_view why);
    void close() noexcept;
    void fail_calls(std::string_view why);

    std::shared_ptr<const shared_state> state_;
    runtime::loop& loop_;
    runtime::instrument_group& counts_;
    const std::string inbox_;  // prefix of the subjects for responses
    const std::uint64_t inbox_number_ = 1;
    std::uint64_t last_number_ = 1;
    outbound::transport_ptr io_;  // null: not connected
    server_info info_;
    std::size_t host_ = 0;  // index of the next host to try
    std::list<call*> waiting_;
    std::unordered_map<std::uint64_t, call*> requests_;  // sent, by the number of their inbox
    std::deque<expected_pong> pongs_;
    std::uint64_t pings_ = 0;  // sent on all connections
    std::map<std::uint64_t, listener*> listeners_;
    std::size_t calls_ = 0;  // waiting, or sent without a response
    unsigned failures_ = 0;
    std::uint64_t not_before_ = 0;  // earliest time of the next attempt to connect
    std::uint64_t opened_at_ = 0, warned_at_ = 0;
    std::optional<std::uint64_t> unreachable_since_;
    std::string why_not_;     // why the last attempt to connect failed
    std::string last_error_;  // text of the last -ERR of this connection
    runtime::reconnect_delay delay_;
    session_timer retry_, check_, deliver_;
    struct changes : runtime::deferred {
        session* of;
    } changes_;
    bool opening_ = false, ended_ = false;
    bool inbox_subscribed_ = false;  // on this connection
    bool owes_pong_ = false;         // whether a PING was received while much output was unsent
    bool heard_ = false;             // whether bytes have arrived since the last check
    bool sent_ = false;              // whether messages were sent since the last check
    task_scope tasks_{{.on_failure = task_failure::only_logged, .limit = 4, .name = "nats session"}};
};

}  // namespace apus::nats
