// SPDX-License-Identifier: Apache-2.0
#include <apus/channel.hpp>

#include "runtime/channel_waiter.hpp"

#include <atomic>
#include <mutex>

namespace apus::detail {

using runtime::channel_waiter;
using runtime::waiter_list;

/// State of a channel.
/// A waiter in `receivers_` waits for an item; a waiter in `senders_` holds an item. Receivers wait only while the
/// queue is empty, senders only while it is full.
class channel_parts {
public:
    explicit channel_parts(std::size_t capacity) noexcept : capacity_(capacity) {}
    channel_parts(const channel_parts&) = delete;
    channel_parts& operator=(const channel_parts&) = delete;
    ~channel_parts() {
        while (channel_item* item = pop()) item->destroy(item);
    }

    enum class outcome {
        done,
        closed,
        must_wait
    };

    // The lock must be held.
    outcome send(channel_item* item) noexcept;
    outcome receive(channel_item*& item) noexcept;
    void return_item(channel_item* item) noexcept;
    void close() noexcept;
    bool closed() const noexcept { return closed_; }
    std::size_t size() const noexcept { return size_; }
    waiter_list& waiting(bool senders) noexcept { return senders ? senders_ : receivers_; }

    std::mutex mutex;
    std::atomic<std::size_t> users = 1;

private:
    bool deliver_to_receiver(channel_item* item) noexcept;
    void push(channel_item* item) noexcept;
    channel_item* pop() noexcept;

    const std::size_t capacity_;
    bool closed_ = false;
    std::size_t size_ = 0;
    channel_item* first_ = nullptr;
    channel_item* last_ = nullptr;
    waiter_list senders_, receivers_;
};

void channel_parts::push(channel_item* item) noexcept {
    item->next = nullptr;
    (last_ ? last_->next : first_) = item;
    last_ = item;
    ++size_;
}

channel_item* channel_parts::pop() noexcept {
    channel_item* item = first_;
    if (!item) return nullptr;
    first_ = item->next;
    if (!first_) last_ = nullptr;
    --size_;
    return item;
}

// Passes the item to a waiting receiver. Returns false if no receiver waits.
bool channel_parts::deliver_to_receiver(channel_item* item) noexcept {
    if (receivers_.empty()) return false;
    auto& t = receivers_.pop();
    t.item = item;
    t.post(true);
    return true;
}

channel_parts::outcome channel_parts::send(channel_item* item) noexcept {
    if (closed_) return outcome::closed;
    if (deliver_to_receiver(item)) return outcome::done;
    if (size_ >= capacity_) return outcome::must_wait;
    push(item);
    return outcome::done;
}

channel_parts::outcome channel_parts::receive(channel_item*& item) noexcept {
    item = pop();
    if (!senders_.empty() && (size_ < capacity_ || !item)) {
        auto& t = senders_.pop();
        auto* sent = static_cast<channel_item*>(std::exchange(t.item, nullptr));
        if (item) push(sent);
        else item = sent;
        t.post(true);
    }
    if (item) return outcome::done;
    return closed_ ? outcome::closed : outcome::must_wait;
}

// Takes back the item of a cancelled receiver. Another receiver gets it, or it becomes the first item of the queue.
void channel_parts::return_item(channel_item* item) noexcept {
    if (deliver_to_receiver(item)) return;
    item->next = first_;
    first_ = item;
    if (!last_) last_ = item;
    ++size_;
}

void channel_parts::close() noexcept {
    closed_ = true;
    while (!senders_.empty()) senders_.pop().post(false);
    while (!receivers_.empty()) receivers_.pop().post(false);
}

channel_base::channel_base(std::size_t capacity) : parts_(new channel_parts(capacity)) {}
void channel_base::keep(channel_parts* p) noexcept { p->users.fetch_add(1, std::memory_order_relaxed); }
void channel_base::let_go(channel_parts* p) noexcept {
    if (p->users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p;
}

void channel_base::close() const noexcept {
    std::lock_guard lock(parts_->mutex);
    parts_->close();
}
bool channel_base::is_closed() const noexcept {
    std::lock_guard lock(parts_->mutex);
    return parts_->closed();
}
std::size_t channel_base::size() const noexcept {
    std::lock_guard lock(parts_->mutex);
    return parts_->size();
}

bool channel_base::try_send(channel_item* item) const noexcept {
    {
        std::lock_guard lock(parts_->mutex);
        if (parts_->send(item) == channel_parts::outcome::done) return true;
    }
    item->destroy(item);
    return false;
}

channel_item* channel_base::try_receive() const noexcept {
    channel_item* item = nullptr;
    std::lock_guard lock(parts_->mutex);
    parts_->receive(item);
    return item;
}

bool channel_wait::await_ready() noexcept { return false; }

// Allocates the waiter before taking the lock, because the allocation may throw.
bool channel_wait::await_suspend(std::coroutine_handle<> waiter) {
    auto* queued = new channel_waiter(waiter);
    const bool gives_way = runtime::should_yield();
    {
        std::lock_guard lock(of_->mutex);
        const auto now = sends_ ? of_->send(item_) : of_->receive(item_);
        ok_ = now == channel_parts::outcome::done;
        if (ok_ && sends_) item_ = nullptr;
        if (now == channel_parts::outcome::must_wait || gives_way) {
            ticket_ = queued;
            queued->item = std::exchange(item_, nullptr);
            if (now == channel_parts::outcome::must_wait) of_->waiting(sends_).push(*queued);
            else queued->post(ok_);
            return true;
        }
    }
    delete queued;
    return false;
}

bool channel_wait::finish() noexcept {
    if (auto* queued = static_cast<channel_waiter*>(std::exchange(ticket_, nullptr))) {
        item_ = static_cast<channel_item*>(queued->item);
        ok_ = queued->ok;
        delete queued;
    }
    return ok_;
}

channel_wait::~channel_wait() {
    if (auto* queued = static_cast<channel_waiter*>(ticket_)) {
        std::unique_lock lock(of_->mutex);
        item_ = static_cast<channel_item*>(std::exchange(queued->item, nullptr));
        if (queued->posted) {
            queued->abandoned = true;
            if (!sends_ && item_) of_->return_item(std::exchange(item_, nullptr));
        } else {
            of_->waiting(sends_).remove(*queued);
            lock.unlock();
            delete queued;
        }
    }
    if (item_) item_->destroy(item_);
}

}  // namespace apus::detail
