// SPDX-License-Identifier: Apache-2.0
#include "sql/notification_hub.hpp"

#include "base/utf8.hpp"

#include <utility>

namespace apus::sql {
namespace {

// Limits of PostgreSQL: NAMEDATALEN, and NOTIFY_PAYLOAD_MAX_LENGTH of async.c, both without the terminating NUL.
constexpr std::size_t longest_name = 63, longest_payload = 7'999;

bool is_text(std::string_view text) noexcept { return text.find('\0') == text.npos && base::is_utf8(text); }

}  // namespace

result<void> check_notification(std::string_view channel, std::string_view payload) {
    if (channel.empty() || channel.size() > longest_name || !is_text(channel))
        return fail(400, "invalid notification channel: it must be UTF-8 of 1 to 63 bytes without NUL");
    if (payload.size() > longest_payload)
        return fail(413, "notification payload over 7,999 bytes: send the key of a row that has the data");
    if (!is_text(payload)) return fail(400, "invalid notification payload: it must be UTF-8 without NUL");
    return {};
}

// A full queue drops its oldest event. The listener gets a gap before the next event.
void notification_hub::queue::put(const shared_event& e) {
    while (!events.try_send(e) && !events.is_closed()) {
        (void)events.try_receive();
        dropped = true;
    }
}

void notification_hub::channel::put(event e) const {
    const auto shared = std::make_shared<const event>(std::move(e));
    for (const auto& q : queues) q->put(shared);
}

class hub_listener final : public listener {
public:
    hub_listener(std::shared_ptr<notification_hub> in, std::string channel,
                 std::shared_ptr<notification_hub::queue> queue, bool ready)
        : in_(std::move(in)), channel_(std::move(channel)), queue_(std::move(queue)), gap_(ready) {}
    hub_listener(const hub_listener&) = delete;
    hub_listener& operator=(const hub_listener&) = delete;
    ~hub_listener() override { in_->leave(channel_, queue_); }

    task<std::optional<notification>> next() override {
        while (true) {
            if (gap_) co_return take_gap();
            if (!unread_) {
                auto got = co_await queue_->events.receive();
                if (!got) co_return std::nullopt;
                unread_ = *std::move(got);
            }
            if (queue_->dropped.exchange(false)) co_return take_gap();
            const auto got = std::exchange(unread_, nullptr);
            if (got->failed && begun_) continue;
            if (got->failed) co_await failure(error(*got->failed));
            if (got->what.gap) co_return take_gap();
            co_return got->what;
        }
    }

private:
    notification take_gap() noexcept {
        gap_ = false;
        begun_ = true;
        return {.payload = {}, .gap = true};
    }

    std::shared_ptr<notification_hub> in_;
    std::string channel_;
    std::shared_ptr<notification_hub::queue> queue_;
    notification_hub::shared_event unread_;
    bool gap_;
    bool begun_ = false;  // the first gap was returned
};

std::unique_ptr<listener> notification_hub::listen(const std::string& name) {
    auto queue = std::make_shared<notification_hub::queue>(capacity_);
    std::unique_lock lock(mutex_);
    const auto [found, first] = channels_.try_emplace(name);
    channel& of = found->second;
    if (first) of.ready = !changed_;
    if (closed_) queue->events.close();
    of.queues.push_back(queue);
    auto made = std::make_unique<hub_listener>(shared_from_this(), name, std::move(queue), of.ready);
    lock.unlock();
    if (first && changed_) changed_(name);
    return made;
}

void notification_hub::leave(const std::string& name, const std::shared_ptr<queue>& of) {
    {
        std::lock_guard lock(mutex_);
        const auto found = channels_.find(name);
        std::erase(found->second.queues, of);
        if (!found->second.queues.empty()) return;
        channels_.erase(found);
    }
    if (changed_) changed_(name);
}

void notification_hub::send(std::string_view name, std::string_view payload) {
    std::lock_guard lock(mutex_);
    const auto found = channels_.find(name);
    if (found == channels_.end() || !found->second.ready) return;
    found->second.put({.what = {.payload = std::string(payload)}});
}

void notification_hub::ready(std::string_view name) {
    std::lock_guard lock(mutex_);
    const auto found = channels_.find(name);
    if (found == channels_.end() || std::exchange(found->second.ready, true)) return;
    found->second.put({.what = {.payload = {}, .gap = true}});
}

void notification_hub::interrupt() {
    std::lock_guard lock(mutex_);
    for (auto& [name, of] : channels_) of.ready = false;
}

void notification_hub::fail_starting(const error& why) {
    std::lock_guard lock(mutex_);
    for (auto& [name, of] : channels_)
        if (!of.ready) of.put({.what = {}, .failed = why});
}

void notification_hub::close() {
    std::lock_guard lock(mutex_);
    changed_ = nullptr;
    closed_ = true;
    for (auto& [name, of] : channels_)
        for (const auto& q : of.queues) q->events.close();
}

bool notification_hub::has(std::string_view name) const {
    std::lock_guard lock(mutex_);
    return channels_.contains(name);
}

bool notification_hub::empty() const {
    std::lock_guard lock(mutex_);
    return channels_.empty();
}

std::vector<std::string> notification_hub::channels() const {
    std::lock_guard lock(mutex_);
    std::vector<std::string> all;
    all.reserve(channels_.size());
    for (const auto& [name, of] : channels_) all.push_back(name);
    return all;
}

}  // namespace apus::sql
