// SPDX-License-Identifier: Apache-2.0
#include <apus/outbox.hpp>

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "crypto/random.hpp"
#include "jobs/queue_access.hpp"
#include "runtime/loop.hpp"
#include "sql/database_parts.hpp"

#include <apus/app.hpp>
#include <apus/metrics.hpp>
#include <apus/sql/table.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace apus {
namespace {

constexpr std::size_t longest_name = 40, longest_key = 200;
constexpr int event_version = 1;
constexpr double delay_bounds[] = {0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, 600, 3'600, 86'400};  // seconds

// The clock of the machine: `published_at` is compared on other nodes.
std::int64_t unix_milliseconds() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

jobs::queue_options queue_of(const outbox_options& how) {
    return {.name = how.name, .concurrency = how.concurrency, .lease = how.lease, .drain = how.drain};
}

void check_name(std::string_view name) {
    const auto valid = [](char c) {
        return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-' || c == '.';
    };
    if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, valid))
        throw std::invalid_argument(
            "outbox: the name of a destination must have 1 to 40 letters, digits, `_`, `-` and `.`");
}

}  // namespace

namespace detail {

/// Metrics of a destination.
struct delivery_metrics {
    metrics::counter delivered, failed;
    metrics::histogram delay;
};

struct destination {
    std::string name;
    std::optional<delivery_metrics> measured = std::nullopt;
};

struct outbox_parts {
    std::atomic<std::size_t> users = 1;
    std::string name;
    jobs::queue queue;
    std::vector<std::shared_ptr<destination>> all = {};
};

void outbox_owner::keep(outbox_parts* p) noexcept { p->users.fetch_add(1, std::memory_order_relaxed); }
void outbox_owner::let_go(outbox_parts* p) noexcept {
    if (p->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p;
}

}  // namespace detail

namespace {

// Owns the function of a destination. Not part of `outbox_parts`: the function may have captured the outbox.
struct owned_delivery {
    detail::delivery_call call;

    explicit owned_delivery(detail::delivery_call c) noexcept : call(c) {}
    owned_delivery(const owned_delivery&) = delete;
    owned_delivery& operator=(const owned_delivery&) = delete;
    ~owned_delivery() { call.destroy(call.self); }
};

// Counts a delivery, which fails unless `delivered` was called: a cancelled task is destroyed without an error.
class counted_delivery {
public:
    counted_delivery(const detail::destination& of, std::int64_t published_at) noexcept
        : of_(of), published_at_(published_at) {}
    counted_delivery(const counted_delivery&) = delete;
    counted_delivery& operator=(const counted_delivery&) = delete;
    ~counted_delivery() {
        if (of_.measured && !delivered_) of_.measured->failed.add();
    }
    void delivered() {
        delivered_ = true;
        if (!of_.measured) return;
        of_.measured->delivered.add();
        // Clocks of nodes may differ.
        of_.measured->delay.observe(milliseconds(std::max<std::int64_t>(unix_milliseconds() - published_at_, 0)));
    }

private:
    const detail::destination& of_;
    std::int64_t published_at_;
    bool delivered_ = false;
};

task<> deliver_to(std::shared_ptr<detail::destination> to, std::shared_ptr<owned_delivery> by, outbox_event event,
                  jobs::context& c) {
    counted_delivery counted(*to, event.published_at);
    co_await by->call.run(by->call.self, event, c);
    counted.delivered();
}

task<> insert_each(const jobs::queue& in, const sql::executor& with, const std::vector<std::string>& to,
                   const outbox_event& event) {
    const std::string payload = to_json(event);
    for (const std::string& name : to) {
        jobs::enqueue_options how;
        if (!event.key.empty()) how.lane = name + ":" + event.key;  // names contain no colon
        co_await jobs::detail::queue_access::insert(in, with, {name, event_version}, payload, std::move(how));
    }
}

// Outside of a transaction, an error must not leave the event with some destinations only.
task<std::string> insert_all(jobs::queue in, sql::executor with, std::vector<std::string> to, outbox_event event) {
    const auto session = sql::detail::session_access::of(with);
    if (session->open || to.size() == 1) {
        co_await insert_each(in, with, to, event);
    } else {
        const auto t = co_await sql::detail::begin_transaction(session, {});
        co_await insert_each(in, t, to, event);
        co_await t.commit();
    }
    co_return std::move(event.id);
}

task<std::string> refuse(int status, std::string why) {
    co_await fail(status, std::move(why));
    co_return std::string();  // not reached
}

}  // namespace

outbox::outbox(const sql::database& db, const outbox_options& how)
    : parts_(new detail::outbox_parts{.name = how.name, .queue = jobs::queue(db, queue_of(how))}) {}

void outbox::add(std::string_view name, detail::delivery_call call, const jobs::handler_options& how) const {
    const auto by = std::make_shared<owned_delivery>(call);
    check_name(name);
    const auto made = std::make_shared<detail::destination>(std::string(name));
    const auto run = [made, by](outbox_event event, jobs::context& c) {
        return deliver_to(made, by, std::move(event), c);
    };
    jobs::detail::queue_access::add(parts_->queue, {made->name, event_version}, jobs::detail::erase<outbox_event>(run),
                                    how);
    parts_->all.push_back(made);
}

task<std::string> outbox::insert(sql::executor in, std::string_view type, std::string body, publish_options how) const {
    if (parts_->all.empty()) return refuse(500, "the outbox has no destination");
    std::vector<std::string> to;
    for (const auto& each : parts_->all)
        if (how.to.empty() || std::ranges::count(how.to, each->name) != 0) to.push_back(each->name);
    for (const std::string& name : how.to)
        if (std::ranges::count(to, name) == 0) return refuse(500, "the outbox has no destination `" + name + "`");
    if (how.key.size() > longest_key || !base::is_utf8(how.key) || how.key.contains('\0'))
        return refuse(400, "the key of an event must be at most 200 bytes of UTF-8 without NUL");
    return insert_all(parts_->queue, std::move(in), std::move(to),
                      {.id = crypto::random_hex(16),
                       .type = std::string(type),
                       .key = std::move(how.key),
                       .body = std::move(body),
                       .published_at = unix_milliseconds()});
}

void outbox::start(router& app) const {
    const std::string& own = parts_->name;
    std::vector<std::string_view> names, outboxes;
    // Each label has the value `other`.
    if (own != "other") outboxes.push_back(own);
    for (const auto& each : parts_->all)
        if (each->name != "other") names.push_back(each->name);
    const metrics::counter deliveries(
        app, "outbox_deliveries_total", "Attempts to deliver events of the outbox.",
        {{"outbox", outboxes}, {"destination", names}, {"result", {"delivered", "failed"}}});
    const metrics::histogram delay(app, "outbox_delay_seconds", "Time from publishing an event to its delivery.",
                                   delay_bounds, {{"outbox", outboxes}, {"destination", names}});
    for (const auto& each : parts_->all)
        each->measured.emplace(deliveries.with(own, each->name, "delivered"),
                               deliveries.with(own, each->name, "failed"), delay.with(own, each->name));
    parts_->queue.start(app);
}

task<> outbox::run() const { return parts_->queue.run(); }

void outbox::stop() const noexcept { parts_->queue.stop(); }

}  // namespace apus
