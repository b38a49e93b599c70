// SPDX-License-Identifier: Apache-2.0
#include "feed/parts.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>
#include <apus/when_any.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus {
namespace detail {
namespace {

constexpr duration most_wait_for_position = seconds(5);

task<> time_out() { co_await sleep_for(most_wait_for_position); }

feed_message message_of(feed_event event) { return feed_message(new feeds::item(std::move(event))); }

}  // namespace

void feed_reader_parts::go_to(feeds::room::position to) {
    to.live_from = at_.live_from;
    at_ = to;
}

void feed_reader_parts::begin_with_gap() {
    gap_ = any_ = true;
    go_to(of_->at_start());
    reads_broker_ = of_.feed().broker() != nullptr;
}

task<> feed_reader_parts::wait_for_position() {
    if (of_->last_id()) co_return;
    auto changes = of_->changes().subscribe();
    of_.feed().ask_for_position(of_.room());
    while (!of_->last_id() && !of_->is_unreachable()) co_await changes.receive();
}

task<> feed_reader_parts::begin(std::string last_id) {
    auto last = of_->last_id();  // another core may forget it
    if (!last) {
        co_await when_any(wait_for_position(), time_out());
        last = of_->last_id();
        if (!last) {
            of_->read_without_position();
            log::warn("feed: the position of a room is unknown, so events may be missing", {"room", of_->name()});
            gap_ = true;
            co_return;
        }
    }
    if (last_id.empty()) {
        at_.last = *last;
        co_return;
    }
    if (last_id == feed::from_start) {
        begin_with_gap();
        gap_ = false;
        co_return;
    }
    const auto id = feeds::read_event_id(last_id);
    if (!id) co_return begin_with_gap();
    if (const auto found = of_->after(*id)) {
        go_to(*found);
    } else if (of_.feed().broker()) {
        at_.last = *id;
        reads_broker_ = true;
    } else {
        begin_with_gap();
    }
}

// Without the event at the position, events after it may be missing too. A page that fails is read again with fewer
// events, since the reply may be too large.
task<> feed_reader_parts::read_page() {
    constexpr std::size_t most_events = 256, least_events = 2, most_bytes = 128 * 1024;
    std::vector<feed_position> from;
    from.push_back({of_->name(), text_of(at_.last)});
    auto pages = co_await of_.feed().broker()->read(std::move(from), page_).outcome();
    if (!pages || pages->size() != 1 || !pages->front()) {
        if (page_ > least_events) {
            page_ = std::max(least_events, page_ / 8);
            co_return;
        }
        const auto last = at_.last;
        go_to(of_->at_start());
        at_.last = last;
        gap_ = true;
        reads_broker_ = false;
        co_return;
    }
    auto& page = *pages->front();
    const auto first =
        page.empty() ? feeds::event_id() : feeds::read_event_id(page.front().event.id).value_or(at_.last);
    const bool complete = at_.last ? first == at_.last : page.empty() || page.front().first;
    if (!std::exchange(any_, false) && !complete) {
        gap_ = any_ = true;
        at_.last = {};
        co_return;
    }
    reads_broker_ = page.size() >= page_;
    std::size_t bytes = 0;
    for (auto& each : page) {
        const auto id = feeds::read_event_id(each.event.id);
        bytes += feeds::size_of(each.event);
        if (!id || *id <= at_.last) continue;
        at_.last = *id;
        read_.push_back(std::move(each.event));
    }
    page_ = bytes < most_bytes / 2 ? std::min(most_events, page_ * 2)
            : bytes > most_bytes   ? std::max(least_events, page_ / 2)
                                   : page_;
}

task<feed_message> feed_reader_parts::next() {
    while (true) {
        if (std::exchange(gap_, false)) co_return message_of(feeds::gap());
        if (!read_.empty()) {
            auto event = std::move(read_.front());
            read_.pop_front();
            co_return message_of(std::move(event));
        }
        if (reads_broker_) {
            co_await read_page();
            continue;
        }
        if (auto* found = of_->take(at_)) co_return feed_message(found);
        if (!at_.behind) {
            co_await changes_.receive();
            continue;
        }
        // The broker still has the events that were removed here.
        const auto last = at_.last;
        go_to(of_->at_start());
        reads_broker_ = of_.feed().broker() != nullptr;
        if (reads_broker_) at_.last = last;
        else gap_ = true;
    }
}

}  // namespace detail

feed_reader::feed_reader(detail::owned_parts<detail::feed_reader_parts> of) : parts_(std::move(of)) {}

task<feed_message> feed_reader::next() { return parts_->next(); }

feed::feed(const feed_options& how) : parts_(new detail::feed_parts(how, nullptr)) {}
feed::feed(const feed_options& how, feed_broker& broker) : parts_(new detail::feed_parts(how, &broker)) {}

task<std::string> feed::publish(std::string room, std::string data, std::string name) const {
    if (name.find_first_of(std::string_view("\r\n\0", 3)) != name.npos)
        throw std::invalid_argument("feed: the name of an event contains a line break or NUL");
    feed_event event{{}, std::move(name), std::move(data)};
    if (!parts_->fits(event)) co_await fail(413, "the event has more bytes than its room may store");
    if (parts_->broker()) co_return co_await parts_->publish(std::move(room), std::move(event));
    co_return parts_->publish_here(room, std::move(event));
}

task<feed_reader> feed::follow(std::string room, std::string last_id) const {
    auto made = detail::own_parts(new detail::feed_reader_parts(parts_, room));
    co_await made->begin(std::move(last_id));
    co_return feed_reader(std::move(made));
}

task<> feed::run() const { return parts_->run(); }

}  // namespace apus
