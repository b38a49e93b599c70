// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/client_counts.hpp"
#include "outbound/transport.hpp"
#include "outbound/url.hpp"
#include "runtime/loop.hpp"

#include <apus/client.hpp>

#include <cstdint>
#include <list>
#include <random>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace apus::outbound {

struct origin;

namespace h2 {
class connection;
}

/// An exclusive connection of a pool: used by one request at a time, or idle.
struct connection final : transport::watcher, runtime::timer {
    connection(pool& p, origin& o, transport& t) noexcept;

    // closes the idle connection: the peer has closed its side or sent unsolicited bytes
    void on_event(transport&) noexcept override;

    pool& of;
    origin& to;
    transport& io;
    bool used = false;  // the connection has already served a request
};

/// A server with its connections, identified by scheme, host, port and the request's `via`.
struct origin {
    std::string name;
    std::uint32_t open = 0;               // number of connections, whether established or being established
    std::vector<connection*> idle;        // the most recently used connection is last
    std::vector<h2::connection*> shared;  // HTTP/2 connections
    std::uint32_t dialing = 0;            // connections being established that may become HTTP/2 connections
    bool http1 = false;                   // the previous of these connections uses HTTP/1.1
    bool failed = false;                  // the previous of these connections was not established
};

/// Keeps an origin alive while its last connection is being closed.
class [[nodiscard]] origin_hold {
public:
    explicit origin_hold(origin& o) noexcept : of_(o) { ++of_.open; }
    origin_hold(const origin_hold&) = delete;
    origin_hold& operator=(const origin_hold&) = delete;
    ~origin_hold() { --of_.open; }

private:
    origin& of_;
};

/// State shared by all copies of a client. Kept alive by these copies and by requests in flight.
/// Used by one core only.
struct pool : runtime::loop_end {
    pool(const client_options&);
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;
    ~pool();

    void hold() noexcept { ++holders; }
    void release() noexcept {
        if (--holders == 0) delete this;
    }

    /// Permission to use one connection to an origin. Contains the connection once it is established.
    /// Unless `keep()` is called, the destructor closes an exclusive connection.
    class [[nodiscard]] lease {
    public:
        lease(pool& p, origin& o, connection* c, bool dials = false) noexcept
            : pool_(&p), to_(&o), has_(c), dials_(dials) {}
        /// Lease of one stream of a shared connection. The caller has called `h2::connection::reserve`.
        lease(pool& p, origin& o, h2::connection& c) noexcept : pool_(&p), to_(&o), has_(nullptr), shared_(&c) {}
        lease(lease&& other) noexcept
            : pool_(std::exchange(other.pool_, nullptr)),
              to_(other.to_),
              has_(other.has_),
              shared_(other.shared_),
              dials_(other.dials_) {}
        lease& operator=(lease&&) = delete;
        ~lease() {
            if (pool_) pool_->give_up(*this);
        }

        bool connected() const noexcept { return has_ || shared_; }
        h2::connection* shared() const noexcept { return shared_; }  ///< The HTTP/2 connection, or null.
        bool used() const noexcept { return has_->used; }
        transport& io() const noexcept { return has_->io; }
        void connect(transport& t) {
            if (std::exchange(dials_, false)) pool_->end_dial(*to_, true, false);
            has_ = new connection(*pool_, *to_, t);
        }
        void share(transport& t);  ///< Starts HTTP/2 on a new transport.
        /// Passes the reservation to the caller, which must call `h2::connection::release`.
        h2::connection* take_shared() noexcept {
            pool_ = nullptr;
            return shared_;
        }
        /// Returns the connection to the pool for reuse.
        void keep() noexcept { std::exchange(pool_, nullptr)->put_back(*has_); }
        explicit operator bool() const noexcept { return pool_ != nullptr; }

    private:
        friend struct pool;
        pool* pool_;
        origin* to_;
        connection* has_;
        h2::connection* shared_ = nullptr;
        bool dials_ = false;  // counted in `origin::dialing`
    };

    struct acquire_options {
        bool fresh = false;      ///< Do not reuse a connection.
        bool careful = false;    ///< Check that a reused connection is open, since the request must not be repeated.
        bool may_share = false;  ///< The connection may be a shared HTTP/2 connection.
    };

    /// Waits for permission to use a connection.
    /// This is an idle connection, a free stream of a shared connection, or a connection that the caller opens.
    /// While a connection that may become shared is being established, requests with `may_share` wait for it.
    task<lease> acquire(std::string name, acquire_options, std::uint64_t due);

    // Called by shared connections.
    void remove(origin&, h2::connection&) noexcept;  ///< Removes a connection that accepts no further requests.
    void note_capacity() noexcept {
        if (!waiting_.empty() && loop_) loop_->later(serve_);
    }

    /// Takes one retry from the retry budget. Returns false if the budget is used up.
    bool take_retry_credit() noexcept;
    void add_retry_credit() noexcept;

    runtime::loop& loop();
    runtime::instrument_group& counts();

    client_options options;
    detail::permit allowed;  // if empty, all addresses are allowed
    std::minstd_rand random;
    unsigned holders = 0;
    std::uint32_t open = 0;

private:
    friend struct connection;
    struct request_waiting {
        waiter at;
        origin* to;
        bool may_share;
    };

    origin& origin_of(const std::string& name);
    void forget(origin&) noexcept;
    bool may_connect(origin&) noexcept;
    bool close_oldest_idle() noexcept;
    connection* take_idle(origin&, bool careful) noexcept;
    void put_back(connection&) noexcept;
    void discard(origin&, connection*) noexcept;
    void give_up(lease&) noexcept;
    void end_dial(origin&, bool http1, bool failed) noexcept;
    bool awaits_dial(const origin&, bool may_share) const noexcept;
    bool may_proceed(const request_waiting&) noexcept;
    static h2::connection* find_shared(const origin&) noexcept;
    h2::connection* take_shared(origin&, bool careful) noexcept;
    bool close_idle(origin&) noexcept;
    void close_shared() noexcept;
    void drop(connection&) noexcept;
    void close_all() noexcept;
    void serve_queue() noexcept;

    struct serving : runtime::deferred {
        pool* of;
    } serve_;
    void count(client_cell cell, std::uint64_t n = 1) noexcept {
        if (counts_) counts_->add(cell, n);
    }
    void count_open(std::uint64_t now) noexcept;

    runtime::loop* loop_ = nullptr;
    runtime::instrument_group* counts_ = nullptr;  // null without `loop_`
    std::unordered_map<std::string, origin> origins_;
    std::list<request_waiting*> waiting_;
    std::uint32_t tenths_ = 100;  // retry budget, in tenths of a retry
};

/// Keeps a pool alive while a request uses it.
class pool_hold {
public:
    explicit pool_hold(pool& p) noexcept : of_(&p) { p.hold(); }
    pool_hold(pool_hold&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    pool_hold& operator=(pool_hold&&) = delete;
    ~pool_hold() {
        if (of_) of_->release();
    }
    pool& operator*() const noexcept { return *of_; }
    pool* operator->() const noexcept { return of_; }

private:
    pool* of_;
};

}  // namespace apus::outbound
