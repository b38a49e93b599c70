// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/postgres/message.hpp"
#include "postgres/closing.hpp"
#include "runtime/descriptor_watch.hpp"
#include "runtime/loop.hpp"
#include "sql/notification_hub.hpp"

#include <apus/error.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace apus::postgres {

class pool;

/// Receives the notifications of all channels of one core, on one connection.
/// Connects for the first listener, and again after the connection was lost. At intervals of `connect_timeout`, checks
/// an idle connection, and closes it if there are no listeners.
class listening {
public:
    explicit listening(pool&);
    listening(const listening&) = delete;
    listening& operator=(const listening&) = delete;
    ~listening();  ///< Ends the streams of all listeners.

    std::unique_ptr<sql::listener> listen(const std::string& channel) { return hub_->listen(channel); }

    /// Takes over an idle connection. Must not be called while a connection is in use.
    void use(pgconn_ptr);

private:
    struct link;
    struct call : runtime::timer, runtime::deferred {
        listening* of;
    };
    struct change {
        std::string channel;
        bool listens;
    };

    void work();
    void reach();
    task<> connect();
    void send_changes();
    void send(const std::string& statements);
    void flush();
    void ready(runtime::readiness);
    void receive();
    bool on_message(const codec::postgres::message&);
    bool on_notification(std::string_view body);
    void on_ready(std::string_view body);
    void on_done();
    void on_time();
    void lost(const error& why);
    void set_timer(std::uint64_t due);
    std::uint64_t interval() const noexcept;

    pool& pool_;
    std::shared_ptr<sql::notification_hub> hub_;
    std::unique_ptr<link> link_;                   // null while not connected
    std::set<std::string, std::less<>> listened_;  // channels that the connection listens to
    std::set<std::string> changed_;                // channels whose first listener was added, or whose last one left
    std::vector<change> sent_;                     // changes that the server is executing
    std::optional<error> failed_;                  // error of the statement that the server is executing
    std::optional<error> lost_;                    // set while messages are read: why the connection must be closed
    call work_, deliver_;
    std::uint64_t not_before_ = 0;                    // earliest time of the next attempt to connect
    std::optional<std::uint64_t> unreachable_since_;  // set while there is no connection, although there are listeners
    unsigned failures_ = 0;
    bool connecting_ = false;
    bool busy_ = false;    // whether the server is executing a statement
    bool heard_ = false;   // whether notifications have arrived since the statement was sent
    unsigned passed_ = 0;  // number of notifications passed on in this event loop iteration
    bool full_ = false;    // whether there are notifications that were not passed on yet
};

}  // namespace apus::postgres
