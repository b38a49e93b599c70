// SPDX-License-Identifier: Apache-2.0
#include "postgres/listening.hpp"

#include "codec/postgres/request.hpp"
#include "postgres/pool.hpp"
#include "postgres/result.hpp"
#include "postgres/stream.hpp"
#include "sql/failure.hpp"

#include <utility>

namespace apus::postgres {

using runtime::readiness;

struct listening::link final : runtime::descriptor_watch, stream_reader {
    link(listening& l, pgconn_ptr c) : descriptor_watch(PQsocket(c.get())), of(l), bytes(std::move(c)) {}
    ~link() { of.pool_.loop().io().watch(*this, readiness::none); }
    link(const link&) = delete;
    link& operator=(const link&) = delete;

    void ready(readiness what) override { of.ready(what); }
    bool on_message(const codec::postgres::message& m) override { return of.on_message(m); }
    void on_end(const codec::refusal*, std::string_view why) override {
        of.lost_ = sql::unreachable(why);
        bytes.close();
    }
    std::size_t max_row() const noexcept override { return 0; }

    listening& of;
    stream bytes;
};

namespace {

error malformed() { return sql::unreachable("PostgreSQL has sent an unexpected or malformed message"); }

}  // namespace

listening::listening(pool& p) : pool_(p) {
    hub_ = std::make_shared<sql::notification_hub>(p.options().notifications, [this](const std::string& channel) {
        changed_.insert(channel);
        pool_.loop().later(work_);  // one statement for all changes of an event loop iteration
    });
    work_.of = deliver_.of = this;
    work_.run = [](runtime::deferred& d) noexcept { static_cast<call&>(d).of->work(); };
    work_.fire = [](runtime::timer& t) noexcept { static_cast<call&>(t).of->on_time(); };
    deliver_.fire = [](runtime::timer& t) noexcept { static_cast<call&>(t).of->receive(); };
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
        if (wanted && listened) hub_->ready(channel);  // a new listener was added after the last one left
        if (wanted == listened) continue;
        statements.append(wanted ? "listen \"" : "unlisten \"");
        for (const char c : channel) statements.append(c == '"' ? 2 : 1, c);
        statements += "\";";
        sent_.push_back({std::move(channel), wanted});
    }
    if (!sent_.empty()) send(statements);
}

// An empty text checks the connection.
void listening::send(const std::string& statements) {
    codec::postgres::append_query(link_->bytes.out, statements);
    busy_ = true;
    heard_ = false;
    set_timer(pool_.loop().now() + interval());
    flush();
}

void listening::flush() {
    const bool wants_room = link_->bytes.send();
    if (full_) pool_.loop().io().watch(*link_, wants_room ? readiness::out : readiness::none);
    else pool_.loop().io().watch(*link_, wants_room ? readiness::both : readiness::in);
}

void listening::ready(readiness what) {
    if (runtime::has(what, readiness::out)) flush();
    if (!full_ && runtime::has(what, readiness::in)) receive();
}

// Passes on a limited number of notifications per event loop iteration, so that listeners can read these notifications
// before others are queued.
void listening::receive() {
    const bool was_full = std::exchange(full_, false);
    passed_ = 0;
    link_->bytes.receive(*link_);
    if (lost_) return lost(*std::exchange(lost_, std::nullopt));
    if (full_) pool_.loop().timers().add(deliver_, pool_.loop().now() + 1);
    if (full_ || was_full) flush();
}

// Row messages are unexpected, since the statements of this class return no rows.
bool listening::on_message(const codec::postgres::message& m) {
    using enum codec::postgres::message_type;
    switch (m.type) {
        case notice:
        case parameter_status: return true;
        case notification: return on_notification(m.body);
        case ready: on_ready(m.body); break;
        case error: {
            auto why = read_error(m.body, "listen");
            if (!why) lost_ = malformed();
            else if (!busy_) lost_ = std::move(why->what);
            else if (!failed_) failed_ = std::move(why->what);
            break;
        }
        default:
            if (!busy_ || (m.type != command_complete && m.type != empty_query)) lost_ = malformed();
    }
    return !lost_;
}

bool listening::on_notification(std::string_view body) {
    constexpr unsigned at_once = 256;
    const auto one = codec::postgres::read_notification(body);
    if (!one) return lost_ = malformed(), false;
    heard_ = true;
    hub_->send(one->channel, one->payload);
    return !(full_ = ++passed_ == at_once);
}

void listening::on_ready(std::string_view body) {
    if (!busy_ || codec::postgres::read_ready(body) != codec::postgres::transaction_state::idle) lost_ = malformed();
    else on_done();
}

void listening::on_done() {
    busy_ = false;
    if (failed_) {
        hub_->fail_starting(*failed_);
        lost_ = std::exchange(failed_, std::nullopt);
        return;
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
