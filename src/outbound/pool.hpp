// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// A connection of a pool: lent for one request after the other, or idle.
struct connection final : transport::watcher, runtime::timer {
    connection(pool& p, origin& o, transport& t) noexcept;

    void stirred(transport&) noexcept override;  // while idle: it ends, or sends what nobody asked for

    pool& of;
    origin& to;
    transport& io;
    bool used = false;  // a request has been answered on it
};

/// Who is asked, by scheme, host and port. `idle` is sorted: the one used last is last.
struct origin {
    std::string name;
    std::uint32_t open = 0;  // connections that are there or being made
    std::vector<connection*> idle;
};

/// What all copies of a client share. Counted by its handles and by requests under way; of one core.
struct pool : runtime::loop_end {
    pool(const client_options&);
    pool(const pool&) = delete;
    pool& operator=(const pool&) = delete;
    ~pool();

    void hold() noexcept { ++holders; }
    void let_go() noexcept {
        if (--holders == 0) delete this;
    }

    /// A right to have a connection to an origin, and the connection when there is one. Destroyed
    /// without `keep` it closes the connection.
    class [[nodiscard]] lease {
    public:
        lease(pool& p, origin& o, connection* c) noexcept : pool_(&p), to_(&o), has_(c) {}
        lease(lease&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)), to_(other.to_), has_(other.has_) {}
        lease& operator=(lease&&) = delete;
        ~lease() {
            if (pool_) pool_->give_up(*to_, has_);
        }

        bool connected() const noexcept { return has_ != nullptr; }
        bool used() const noexcept { return has_->used; }
        transport& io() const noexcept { return has_->io; }
        void connect(transport& t) { has_ = new connection(*pool_, *to_, t); }
        /// Gives the connection back for further requests.
        void keep() noexcept { std::exchange(pool_, nullptr)->put_back(*has_); }
        explicit operator bool() const noexcept { return pool_ != nullptr; }

    private:
        pool* pool_;
        origin* to_;
        connection* has_;
    };

    /// A lease for `name`, when there is one; `fresh`: without a connection that was used before.
    /// `careful`: the connection is looked at, so that a request that cannot be repeated is not lost.
    task<lease> acquire(std::string name, bool fresh, bool careful, std::uint64_t due);

    /// One retry of the budget, if there is one left.
    bool may_retry() noexcept;
    void earn_retry() noexcept;

    runtime::loop& loop();

    client_options options;
    detail::permit allowed;  // where there is none, every address is
    std::minstd_rand random;
    unsigned holders = 0;
    std::uint32_t open = 0;

private:
    friend struct connection;
    struct request_waiting {
        waiter at;
        origin* to;
    };

    origin& origin_of(const std::string& name);
    void forget(origin&) noexcept;
    bool may_connect(origin&) noexcept;
    bool close_oldest_idle() noexcept;
    connection* take_idle(origin&, bool careful) noexcept;
    void put_back(connection&) noexcept;
    void give_up(origin&, connection*) noexcept;
    void drop(connection&) noexcept;
    void close_all() noexcept;
    void serve_queue() noexcept;

    struct serving : runtime::deferred {
        pool* of;
    } serve_;
    runtime::loop* loop_ = nullptr;
    std::unordered_map<std::string, origin> origins_;
    std::list<request_waiting*> waiting_;
    std::uint32_t tenths_ = 100;  // of a retry
};

/// Keeps a pool while a request is under way.
class pool_hold {
public:
    explicit pool_hold(pool& p) noexcept : of_(&p) { p.hold(); }
    pool_hold(pool_hold&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    pool_hold& operator=(pool_hold&&) = delete;
    ~pool_hold() {
        if (of_) of_->let_go();
    }
    pool& operator*() const noexcept { return *of_; }
    pool* operator->() const noexcept { return of_; }

private:
    pool* of_;
};

}  // namespace apus::outbound
