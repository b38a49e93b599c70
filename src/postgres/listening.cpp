// SPDX-License-Identifier: Apache-2.0
#include "postgres/listening.hpp"

#include "postgres/pool.hpp"
#include "postgres/result.hpp"
#include "sql/failure.hpp"

#include <algorithm>

#include <sys/ioctl.h>

namespace apus::postgres {

using runtime::readiness;

namespace {

constexpr std::size_t longest_message = std::size_t(64) << 10U;

}  // namespace

struct listening::link final : runtime::descriptor_watch {
    link(listening& l, pgconn_ptr c) : descriptor_watch(PQsocket(c.get())), of(l), conn(std::move(c)) {}
    ~link() { of.pool_.loop().io().watch(*this, readiness::none); }
    link(const link&) = delete;
    link& operator=(const link&) = delete;

    void ready(readiness what) override { of.ready(what); }

    listening& of;
    pgconn_ptr conn;
};

listening::listening(pool& p) : pool_(p) {
    hub_ = std::make_shared<sql::notification_hub>(p.options().notifications, [this](const std::string& channel) {
        changed_.insert(channel);
        pool_.loop().later(work_);  // one statement for the changes of a turn
    });
    work_.of = deliver_.of = this;
    work_.run = [](runtime::deferred& d) noexcept { static_cast<call&>(d).of->work(); };
    work_.fire = [](runtime::timer& t) noexcept { static_cast<call&>(t).of->on_time(); };
    deliver_.fire = [](runtime::timer& t) noexcept { static_cast<call&>(t).of->deliver(); };
}

listening::~listening() {
    hub_->close();
    link_.reset();
    pool_.loop().forget(work_);
    pool_.loop().timers().remove(work_);
    pool_.loop().timers().remove(deliver_);
}

std::uint64_t listening::interval() const noexcept {
    return static_cast<std::uint64_t>(pool_.options().connect_timeout.milliseconds());
}

void listening::set_timer(std::uint64_t due) { pool_.loop().timers().add(work_, due); }

void listening::work() {
    if (!link_) return reach();
    if (!busy_) send_changes();
}

void listening::reach() {
    if (connecting_) return;
    if (hub_->empty()) return unreachable_since_.reset();
    const std::uint64_t now = pool_.loop().now();
    if (!unreachable_since_) unreachable_since_ = now;
    if (now < not_before_) return set_timer(not_before_);
    connecting_ = pool_.spawn(connect());
    if (!connecting_) set_timer(now + interval());
}

task<> listening::connect() {
    auto made = co_await pool_.connect_on_thread().outcome();
    connecting_ = false;
    if (made) use(*std::move(made));
    else lost(made.error());
}

void listening::use(pgconn_ptr c) {
    link_ = std::make_unique<link>(*this, std::move(c));
    if (PQexitPipelineMode(link_->conn.get()) != 1) return lost(sql::unreachable(PQerrorMessage(link_->conn.get())));
    pool_.loop().io().watch(*link_, readiness::in);
    for (auto& channel : hub_->channels()) changed_.insert(std::move(channel));
    set_timer(pool_.loop().now() + interval());
    work();
}

void listening::send_changes() {
    constexpr std::size_t at_once = 256;
    std::string statements;
    while (!changed_.empty() && sent_.size() < at_once) {
        std::string channel = std::move(changed_.extract(changed_.begin()).value());
        const bool wanted = hub_->has(channel), listened = listened_.contains(channel);
        if (wanted && listened) hub_->ready(channel);  // the last listener left, and another one came
        if (wanted == listened) continue;
        const std::unique_ptr<char, decltype(&PQfreemem)> name(
            PQescapeIdentifier(link_->conn.get(), channel.data(), channel.size()), PQfreemem);
        if (!name) return lost(sql::unreachable(PQerrorMessage(link_->conn.get())));
        statements.append(wanted ? "listen " : "unlisten ").append(name.get()).append(";");
        sent_.push_back({std::move(channel), wanted});
    }
    if (!sent_.empty()) send(statements);
}

// An empty text checks the connection.
void listening::send(const std::string& statements) {
    if (PQsendQuery(link_->conn.get(), statements.c_str()) != 1)
        return lost(sql::unreachable(PQerrorMessage(link_->conn.get())));
    busy_ = true;
    heard_ = false;
    set_timer(pool_.loop().now() + interval());
    flush();
}

void listening::flush() {
    const bool wants_room = PQflush(link_->conn.get()) > 0;  // reading reports errors
    if (full_) pool_.loop().io().watch(*link_, wants_room ? readiness::out : readiness::none);
    else pool_.loop().io().watch(*link_, wants_room ? readiness::both : readiness::in);
}

void listening::ready(readiness what) {
    if (runtime::has(what, readiness::out)) flush();
    if (full_ || !consume()) return;
    read_results();
    if (link_) deliver();
}

// Notifications and results here are small, so a large message is an error of the server. libpq would store it.
bool listening::consume() {
    constexpr std::size_t piece = 8192;
    int before = 0, after = 0;
    (void)::ioctl(link_->fd(), FIONREAD, &before);
    if (PQconsumeInput(link_->conn.get()) != 1) {
        lost(sql::unreachable(PQerrorMessage(link_->conn.get())));
        return false;
    }
    (void)::ioctl(link_->fd(), FIONREAD, &after);
    received_ += std::max<std::size_t>(before > after ? static_cast<std::size_t>(before - after) : 0,
                                       std::min(static_cast<std::size_t>(before), piece));
    return true;
}

void listening::read_results() {
    while (busy_ && !PQisBusy(link_->conn.get())) {
        const result_ptr r(PQgetResult(link_->conn.get()));
        received_ = 0;
        if (!r) {
            on_done();
            continue;
        }
        const auto status = PQresultStatus(r.get());
        if (status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY) continue;
        if (!failed_) failed_ = error_of(*r, "listen");
        if (status != PGRES_FATAL_ERROR || state_of(*r).empty()) return lost(error(*failed_));
    }
}

void listening::on_done() {
    busy_ = false;
    if (failed_) {
        hub_->fail_starting(*failed_);
        return lost(error(*failed_));
    }
    failures_ = 0;
    unreachable_since_.reset();
    for (change& one : std::exchange(sent_, {})) {
        if (one.listens) hub_->ready(one.channel), listened_.insert(std::move(one.channel));
        else listened_.erase(one.channel);
    }
    set_timer(pool_.loop().now() + interval());
    work();
}

// Passes on a limited number of notifications per turn, so that listeners can read them before there are more.
void listening::deliver() {
    constexpr int at_once = 256;
    for (int i = 0; i < at_once; ++i) {
        const std::unique_ptr<PGnotify, decltype(&PQfreemem)> one(PQnotifies(link_->conn.get()), PQfreemem);
        if (!one) {
            if (received_ > longest_message) return lost(sql::unreachable("the server has sent a large message"));
            if (std::exchange(full_, false)) flush();
            return;
        }
        received_ = 0;
        heard_ = true;
        hub_->send(one->relname, one->extra);
    }
    if (!std::exchange(full_, true)) flush();
    pool_.loop().timers().add(deliver_, pool_.loop().now() + 1);
}

void listening::on_time() {
    if (!link_) return work();
    if (busy_ && !std::exchange(heard_, false)) return lost(sql::unreachable("the server does not respond"));
    if (busy_) return set_timer(pool_.loop().now() + interval());
    if (!hub_->empty()) return send({});
    link_.reset();
    listened_.clear();
    changed_.clear();
}

void listening::lost(const error& why) {
    link_.reset();
    listened_.clear();
    changed_.clear();
    sent_.clear();
    failed_.reset();
    busy_ = full_ = false;
    received_ = 0;
    pool_.loop().timers().remove(work_);
    pool_.loop().timers().remove(deliver_);
    hub_->interrupt();
    const std::uint64_t now = pool_.loop().now();
    if (!unreachable_since_) unreachable_since_ = now;
    if (now - *unreachable_since_ >= interval()) hub_->fail_starting(why);
    not_before_ = now + pool_.backoff(++failures_);
    work();
}

}  // namespace apus::postgres
