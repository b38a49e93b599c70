// SPDX-License-Identifier: Apache-2.0
#include "redis/subscriber.hpp"

#include "codec/resp/command.hpp"
#include "redis/failure.hpp"
#include "redis/pool.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace apus::redis {

using codec::outcome;
using codec::resp::element;
using codec::resp::kind;
using codec::resp::take_element;

subscriber::subscriber(pool& p) : pool_(p), scanner_({.bytes = p.options().reply_size}) {
    work_.of = deliver_.of = this;
    work_.run = [](runtime::deferred& d) noexcept { static_cast<call&>(d).of->work(); };
    work_.fire = [](runtime::timer& t) noexcept { static_cast<call&>(t).of->on_time(); };
    deliver_.fire = [](runtime::timer& t) noexcept { static_cast<call&>(t).of->receive(); };
}

subscriber::~subscriber() {
    for (auto& [name, hub] : hubs_) hub->close();
    if (io_) io_->idle_watcher = nullptr;
    io_.reset();
    pool_.loop().forget(work_);
    pool_.loop().timers().remove(work_);
    pool_.loop().timers().remove(deliver_);
}

std::uint64_t subscriber::interval() const noexcept {
    return static_cast<std::uint64_t>(pool_.options().connect_timeout.milliseconds());
}

std::string subscriber::with_channel(std::string_view channel, std::string_view payload) {
    return std::to_string(channel.size()).append(1, ':').append(channel).append(payload);
}

std::pair<std::string_view, std::string_view> subscriber::channel_and_payload(std::string_view joined) {
    std::size_t size = 0;
    const char* const end = std::from_chars(joined.data(), joined.data() + joined.size(), size).ptr;
    joined.remove_prefix(static_cast<std::size_t>(end - joined.data()) + 1);
    return {joined.substr(0, size), joined.substr(size)};
}

std::unique_ptr<sql::listener> subscriber::listen(std::string_view name, bool is_pattern) {
    const key of = (is_pattern ? 'p' : 'c') + std::string(name);
    auto& hub = hubs_[of];
    if (!hub)
        hub = std::make_shared<sql::notification_hub>(pool_.options().messages, [this](const std::string& changed) {
            changed_.insert(changed);
            pool_.loop().later(work_);
        });
    return hub->listen(of);
}

void subscriber::work() {
    if (!io_) return reach();
    send_changes();
}

void subscriber::reach() {
    if (connecting_) return;
    changed_.clear();
    std::erase_if(hubs_, [](const auto& one) { return one.second->empty(); });
    if (hubs_.empty()) return unreachable_since_.reset();
    const std::uint64_t now = pool_.loop().now();
    if (!unreachable_since_) unreachable_since_ = now;
    if (now < not_before_) return pool_.loop().timers().add(work_, not_before_);
    connecting_ = true;
    if (pool_.spawn(connect_one())) return;
    connecting_ = false;
    pool_.loop().timers().add(work_, now + interval());
}

task<> subscriber::connect_one() {
    auto made = co_await pool_.connect_here(pool_.loop().now() + interval()).outcome();
    connecting_ = false;
    if (made) use(*std::move(made));
    else lost(made.error());
}

void subscriber::use(connected to) {
    io_ = std::move(to.io);
    server_ = std::move(to.at);
    io_->idle_watcher = this;
    scanner_ = codec::resp::reply_scanner({.bytes = pool_.options().reply_size});
    for (const auto& [name, hub] : hubs_) changed_.insert(name);
    heard_ = true;
    pool_.loop().timers().add(work_, pool_.loop().now() + interval());
    receive();
    if (io_) work();
}

void subscriber::send_changes() {
    for (const key& one : std::exchange(changed_, {})) {
        const auto hub = hubs_.find(one);
        const bool wanted = hub != hubs_.end() && !hub->second->empty(), subscribed = subscribed_.contains(one);
        if (!wanted && hub != hubs_.end()) hubs_.erase(hub);
        if (wanted != subscribed) send_change(one, wanted);
        // Still subscribed: after the last listener left, a new one was added.
        else if (wanted && std::ranges::find(sent_, one) == sent_.end()) hub->second->ready(one);
    }
}

void subscriber::send_change(const key& of, bool subscribes) {
    const bool is_pattern = of[0] == 'p';
    std::string wire;
    codec::resp::append_command(
        wire, {subscribes ? (is_pattern ? "PSUBSCRIBE" : "SUBSCRIBE") : (is_pattern ? "PUNSUBSCRIBE" : "UNSUBSCRIBE"),
               std::string_view(of).substr(1)});
    if (subscribes) subscribed_.insert(of);
    else subscribed_.erase(of);
    sent_.push_back(of);
    io_->send(wire);
}

// Passes on a limited number of messages per event loop iteration, so that listeners can read these messages before
// others are queued.
void subscriber::receive() {
    constexpr std::size_t at_once = 256;
    if (!io_ || deliver_.timer::waits()) return;
    heard_ |= io_->gather();
    for (std::size_t passed = 0; passed < at_once;) {
        const auto got = scanner_.scan(io_->unread());
        if (got.state == outcome::bad) return lost(unreachable(got.why->reason));
        if (got.state == outcome::partial) {
            if (io_->ended()) lost(unreachable("Redis has closed the connection"));
            return;
        }
        const std::string_view reply = io_->unread().substr(0, got.used);
        const bool expected = got.value == kind::push ? on_push(reply, passed) : on_reply(reply, got.value);
        if (!expected) return lost(unreachable("Redis has sent an unexpected message"));
        io_->use(got.used);
    }
    pool_.loop().timers().add(deliver_, pool_.loop().now() + 1);
}

bool subscriber::on_reply(std::string_view reply, kind what) {
    if (sent_.empty()) return false;
    const key of = std::move(sent_.front());
    sent_.pop_front();
    if (of.empty()) return what == kind::text;
    if (what != kind::error) return false;
    subscribed_.erase(of);
    const auto hub = hubs_.find(of);
    if (hub != hubs_.end())
        hub->second->fail_starting(refused(take_element(reply).text, of[0] == 'p' ? "PSUBSCRIBE" : "SUBSCRIBE", false));
    return true;
}

bool subscriber::on_push(std::string_view reply, std::size_t& passed) {
    const std::size_t count = take_element(reply).count;
    const element what = take_element(reply);
    if (what.what != kind::text) return false;
    // Other push messages are confirmations of subscriptions, or notices that need no action.
    const bool message = what.text == "message", pattern = what.text == "pmessage";
    if (message || pattern) {
        if (count != (pattern ? 4 : 3)) return false;
        ++passed;
        const element name = take_element(reply), channel = pattern ? take_element(reply) : name;
        const element payload = take_element(reply);
        if (name.what != kind::text || channel.what != kind::text || payload.what != kind::text) return false;
        const key of = (pattern ? 'p' : 'c') + std::string(name.text);
        if (const auto hub = hubs_.find(of); hub != hubs_.end())
            hub->second->send(of, pattern ? with_channel(channel.text, payload.text) : std::string(payload.text));
        return true;
    }
    const bool subscribed = what.text == "subscribe" || what.text == "psubscribe";
    if (!subscribed && what.text != "unsubscribe" && what.text != "punsubscribe") return true;
    const bool is_pattern = what.text[0] == 'p';
    const element name = take_element(reply);
    const key of = (is_pattern ? 'p' : 'c') + std::string(name.text);
    if (count != 3 || name.what != kind::text || sent_.empty() || sent_.front() != of) return false;
    sent_.pop_front();
    const auto hub = hubs_.find(of);
    if (subscribed && hub != hubs_.end() && subscribed_.contains(of)) hub->second->ready(of);
    failures_ = 0;
    unreachable_since_.reset();
    return true;
}

void subscriber::reconnect(std::string_view why) {
    if (io_) lost(unreachable(why));
}

void subscriber::on_time() {
    if (!io_) return work();
    pool_.loop().timers().add(work_, pool_.loop().now() + interval());
    // While `deliver_` waits, received messages are still to be passed on, so Redis has responded.
    if (!sent_.empty() && !std::exchange(heard_, false) && !deliver_.timer::waits())
        return lost(unreachable("Redis does not respond"));
    std::erase_if(hubs_, [](const auto& one) { return one.second->empty(); });
    if (hubs_.empty()) {
        io_->idle_watcher = nullptr;
        io_.reset();
        subscribed_.clear();
        sent_.clear();
        return pool_.loop().timers().remove(work_);
    }
    if (!sent_.empty()) return;
    std::string wire;
    codec::resp::append_command(wire, {"PING"});
    sent_.emplace_back();
    heard_ = false;
    io_->send(wire);
}

void subscriber::lost(const error& why) {
    if (io_) io_->idle_watcher = nullptr;
    io_.reset();
    subscribed_.clear();
    sent_.clear();
    pool_.loop().timers().remove(work_);
    pool_.loop().timers().remove(deliver_);
    const std::uint64_t now = pool_.loop().now();
    if (!unreachable_since_) unreachable_since_ = now;
    const bool long_ago = now - *unreachable_since_ >= interval();
    for (const auto& [name, hub] : hubs_) {
        hub->interrupt();
        if (long_ago) hub->fail_starting(why);
    }
    not_before_ = now + pool_.backoff(++failures_);
    work();
}

}  // namespace apus::redis
