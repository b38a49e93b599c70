// SPDX-License-Identifier: Apache-2.0
// A feed with a broker: publishes, receives, and reads the events again that it may have missed.
#include "base/raised_flag.hpp"
#include "feed/parts.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/when_any.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus::detail {
namespace {

constexpr std::size_t rooms_of_call = 64, most_unconfirmed = 4'096;
constexpr duration pause_after_failure = milliseconds(200);

struct received_or_why {
    std::optional<feed_broker::received> event;
    std::string why;
    bool failed = false;
};

task<received_or_why> next_of(feed_broker& from) {
    auto got = co_await from.receive().outcome();
    if (!got) co_return received_or_why{{}, std::string(got.error().cause()), true};
    co_return received_or_why{*std::move(got), {}, false};
}

task<> next_question(const channel<bool>& from) { co_await from.receive(); }

bool is_unreachable(const error& why) noexcept { return why.status() == 503 || why.status() == 504; }

feeds::event_id id_of(const feed_event& of) noexcept { return feeds::read_event_id(of.id).value_or(feeds::event_id()); }

}  // namespace

void feed_parts::failed(std::string_view why) noexcept {
    if (!away_.begin(base::outage::clock_now())) return;
    log::warn("feed: events reach this process only, and are not stored", {"reason", why});
    for (const auto& each : all_rooms()) each->wake();
}

void feed_parts::worked() noexcept {
    if (away_.end()) log::info("feed: events reach all processes again");
}

task<std::string> feed_parts::publish(std::string name, feed_event event) {
    std::string token = node_ + std::to_string(tokens_.fetch_add(1, std::memory_order_relaxed));
    if (!away_.ongoing() || away_.may_try(base::outage::clock_now())) {
        auto id = co_await broker_->publish(name, event, token).outcome();
        if (id) co_return *std::move(id);
        if (!is_unreachable(id.error())) co_await failure(std::move(id).error());
        failed(id.error().cause());
    }
    const std::lock_guard lock(mutex_);
    // The broker may have stored the event without a reply; its readers here must not get it again.
    if (unconfirmed_.insert(token).second) oldest_unconfirmed_.push_back(std::move(token));
    if (oldest_unconfirmed_.size() > most_unconfirmed) {
        unconfirmed_.erase(oldest_unconfirmed_.front());
        oldest_unconfirmed_.pop_front();
    }
    if (const auto to = by_name_.find(name); to != by_name_.end()) add_event(to->second, std::move(event), {}, false);
    co_return std::string();
}

void feed_parts::ask_for_position(std::shared_ptr<room> of) {
    {
        const std::lock_guard lock(mutex_);
        asking_.push_back(std::move(of));
    }
    (void)questions_.try_send(true);
}

// An event whose readers here already have it only moves the room's position.
void feed_parts::take(feed_broker::received got) {
    const std::lock_guard lock(mutex_);
    const auto to = by_name_.find(got.room);
    if (to == by_name_.end() || !to->second->of->last_id()) return;
    const event_id id = id_of(got.event);
    if (!id) return;
    if (!unconfirmed_.empty() && unconfirmed_.contains(got.token)) return to->second->of->skip(id);
    add_event(to->second, std::move(got.event), id, got.first);
}

// Rooms whose readers have waited without a position get a gap, since events may be missing.
task<bool> feed_parts::find_positions(std::vector<std::shared_ptr<room>> of) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < of.size(); begin += rooms_of_call) {
        const std::size_t end = std::min(of.size(), begin + rooms_of_call);
        names.clear();
        for (std::size_t i = begin; i < end; ++i) names.push_back(of[i]->name());
        const auto ids = co_await broker_->last_ids(names).outcome();
        if (!ids || ids->size() != names.size()) {
            failed(ids ? std::string_view("the broker has sent another number of ids") : ids.error().cause());
            co_return false;
        }
        for (std::size_t i = begin; i < end; ++i) {
            const auto id = feeds::read_event_id((*ids)[i - begin]).value_or(event_id());
            if (!of[i]->is_read_without_position()) of[i]->begin_after(id);
            else if (!of[i]->last_id()) lose_events(*of[i], id);
        }
    }
    co_return true;
}

// Reads pages of the rooms from their last ids on, until each room has all of its events.
task<bool> feed_parts::read_missed(std::vector<std::shared_ptr<room>> of) {
    while (!of.empty()) {
        std::vector<std::shared_ptr<room>> more;
        for (std::size_t begin = 0; begin < of.size(); begin += rooms_of_call) {
            const std::size_t end = std::min(of.size(), begin + rooms_of_call);
            std::vector<feed_position> from;
            for (std::size_t i = begin; i < end; ++i)
                from.push_back({of[i]->name(), text_of(of[i]->last_id().value_or(event_id()))});
            auto pages = co_await broker_->read(std::move(from), feeds::events_of_page).outcome();
            if (!pages || pages->size() != end - begin) {
                failed(pages ? std::string_view("the broker has sent another number of pages") : pages.error().cause());
                co_return false;
            }
            for (std::size_t i = begin; i < end; ++i)
                if (take_page(*of[i], std::move((*pages)[i - begin]))) more.push_back(of[i]);
        }
        of = std::move(more);
    }
    co_return true;
}

// Readers get a gap; the events after `last` follow.
void feed_parts::lose_events(room& of, event_id last) {
    const std::lock_guard lock(mutex_);
    bytes_ += static_cast<std::size_t>(of.add_gap(last, how_));
}

// Returns whether the room may have more events. Without the event at the position, older ones are missing.
bool feed_parts::take_page(room& to, std::vector<feed_broker::received> page) {
    const event_id last = to.last_id().value_or(event_id());
    if (last && (page.empty() || id_of(page.front().event) != last)) {
        lose_events(to, {});
        return true;
    }
    const bool more = page.size() >= feeds::events_of_page;
    for (auto& each : page) {
        each.first = false;
        take(std::move(each));
    }
    return more && to.last_id() != last;
}

task<bool> feed_parts::catch_up() {
    std::vector<std::shared_ptr<room>> known, unknown;
    for (auto& each : all_rooms()) (each->last_id() ? known : unknown).push_back(std::move(each));
    co_return co_await find_positions(std::move(unknown)) && co_await read_missed(std::move(known));
}

task<> feed_parts::run() {
    if (!broker_) throw std::logic_error("feed: a feed without a broker has no `run`");
    if (running_.exchange(true)) throw std::logic_error("feed: `run` is called twice: call it once per process");
    const base::raised_flag running(running_);
    while (true) {
        auto next = co_await when_any(next_of(*broker_), next_question(questions_));
        if (next.index() == 1) {
            std::vector<std::shared_ptr<room>> asking;
            {
                const std::lock_guard lock(mutex_);
                asking.swap(asking_);
            }
            if (!co_await find_positions(asking)) {
                for (auto& each : asking) ask_for_position(std::move(each));
                co_await sleep_for(pause_after_failure);
            }
            continue;
        }
        auto& got = std::get<0>(next);
        if (got.failed) {
            failed(got.why);
            co_await sleep_for(pause_after_failure);
            continue;
        }
        if (!got.event) co_return;
        if (!got.event->event.gap) {
            take(*std::move(got.event));
            continue;
        }
        // Later events wait until the missed ones are known.
        while (!co_await catch_up()) co_await sleep_for(pause_after_failure);
        worked();
    }
}

}  // namespace apus::detail
