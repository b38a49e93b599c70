// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sends values to all subscribers, on all cores.

#include <apus/detail/shared.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <cstdint>

namespace apus {

/// Policy for a subscriber that receives more slowly than values are sent.
enum class slow_subscriber : std::uint8_t {
    drops_oldest,  ///< The subscriber misses the oldest values (see `subscription::dropped`). Senders never wait.
    holds_up,      ///< Senders wait for the subscriber, so each subscriber gets each value.
};

/// Options of a broadcast.
struct broadcast_options {
    /// Maximum values stored for slow subscribers, for all subscribers together. At least 1.
    std::size_t capacity = 64;
    slow_subscriber slow = slow_subscriber::drops_oldest;  ///< Policy for slow subscribers.
};

namespace detail {

/// A type-erased value of a broadcast, with shared ownership.
struct broadcast_item {
    std::uint32_t owners = 1;         // accessed atomically; <atomic> is expensive to include
    broadcast_item* freed = nullptr;  // next in the list of items removed from the ring
    void (*const destroy)(broadcast_item*) noexcept;

    explicit broadcast_item(void (*d)(broadcast_item*) noexcept) noexcept : destroy(d) {}
    void keep() noexcept { __atomic_fetch_add(&owners, 1, __ATOMIC_RELAXED); }
    void let_go() noexcept {
        if (__atomic_sub_fetch(&owners, 1, __ATOMIC_ACQ_REL) == 0) destroy(this);
    }
};

template <class T>
struct broadcast_value final : broadcast_item {
    const T value;

    explicit broadcast_value(T&& v)
        : broadcast_item([](broadcast_item* self) noexcept { delete static_cast<broadcast_value*>(self); }),
          value(std::move(v)) {}
    static void* operator new(std::size_t size) { return frame_allocate(size); }
    static void operator delete(void* self, std::size_t size) noexcept { frame_free(self, size); }
};

class broadcast_parts;
struct subscriber;

class broadcast_base {
public:
    void close() const noexcept;
    std::size_t subscribers() const noexcept;

protected:
    explicit broadcast_base(const broadcast_options&);
    bool try_send(broadcast_item*) const noexcept;  // takes ownership, even if it returns false
    subscriber* subscribe(bool from_latest) const;

    friend class shared<broadcast_base, broadcast_parts>;
    static void keep(broadcast_parts*) noexcept;
    static void let_go(broadcast_parts*) noexcept;
    shared<broadcast_base, broadcast_parts> parts_;
};

void unsubscribe(subscriber*) noexcept;
std::uint64_t dropped_by(const subscriber&) noexcept;

/// Waits for the next value of a subscriber.
class broadcast_receive_wait {
public:
    explicit broadcast_receive_wait(subscriber& who) noexcept : who_(&who) {}
    broadcast_receive_wait(const broadcast_receive_wait&) = delete;
    broadcast_receive_wait& operator=(const broadcast_receive_wait&) = delete;
    ~broadcast_receive_wait() {
        if (waits_) stop();
    }

    bool await_ready() noexcept;
    bool await_suspend(std::coroutine_handle<> waiter) noexcept;

protected:
    broadcast_item* take() noexcept;

private:
    void stop() noexcept;

    subscriber* who_;
    broadcast_item* item_ = nullptr;
    bool waits_ = false;
};

}  // namespace detail

/// A value of a broadcast, shared with the other subscribers; empty at the end of the broadcast.
template <class T>
class broadcast_message {
public:
    explicit broadcast_message(detail::broadcast_value<T>* of) noexcept : of_(of) {}  ///< Used by the library.
    broadcast_message(broadcast_message&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    broadcast_message& operator=(broadcast_message&& other) noexcept {
        std::swap(of_, other.of_);
        return *this;
    }
    ~broadcast_message() {
        if (of_) of_->let_go();
    }

    explicit operator bool() const noexcept { return of_ != nullptr; }
    const T& operator*() const noexcept { return of_->value; }
    const T* operator->() const noexcept { return &of_->value; }

private:
    detail::broadcast_value<T>* of_;
};

/// Awaitable: waits while a slow subscriber delays the broadcast. Returned by `broadcast::send`.
class [[nodiscard("sends only when awaited: write co_await")]] broadcast_send {
public:
    /// Used by the library.
    broadcast_send(const detail::shared<detail::broadcast_base, detail::broadcast_parts>& of,
                   detail::broadcast_item* item) noexcept
        : of_(of), item_(item) {}
    broadcast_send(const broadcast_send&) = delete;
    broadcast_send& operator=(const broadcast_send&) = delete;
    ~broadcast_send();

    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> waiter);
    bool await_resume() noexcept;

private:
    detail::shared<detail::broadcast_base, detail::broadcast_parts> of_;
    detail::broadcast_item* item_;
    void* ticket_ = nullptr;
    bool ok_ = false;
};

/// Awaitable: waits for the next value of a subscription. Returned by `subscription::receive`.
template <class T>
class [[nodiscard("receives only when awaited: write co_await")]] broadcast_receive
    : public detail::broadcast_receive_wait {
public:
    using broadcast_receive_wait::broadcast_receive_wait;
    broadcast_message<T> await_resume() noexcept {
        return broadcast_message<T>(static_cast<detail::broadcast_value<T>*>(take()));
    }
};

/// Receives all values sent during its lifetime. Belongs to the core that created it.
template <class T>
class subscription {
public:
    explicit subscription(detail::subscriber* who) noexcept : who_(who) {}  ///< Used by the library.
    subscription(subscription&& other) noexcept : who_(std::exchange(other.who_, nullptr)) {}
    subscription& operator=(subscription&& other) noexcept {
        std::swap(who_, other.who_);
        return *this;
    }
    ~subscription() {
        if (who_) detail::unsubscribe(who_);
    }

    /// Receives a value; `co_await` waits for the next value.
    /// At most one task may wait at a time. The message is empty when the broadcast is closed and all values were
    /// received.
    broadcast_receive<T> receive() noexcept { return broadcast_receive<T>(*who_); }

    std::uint64_t dropped() const noexcept { return detail::dropped_by(*who_); }  ///< Number of missed values.

private:
    detail::subscriber* who_;
};

/// Sends each value to all subscribers. Any number of tasks on any cores may send and subscribe.
/// Values of one sender arrive in order. Copies refer to the same broadcast.
///
/// Each value is stored once for all subscribers; at most `broadcast_options::capacity` values are stored. A core is
/// woken once for all of its waiting subscribers.
template <class T>
class broadcast : detail::broadcast_base {
public:
    /// Throws `std::invalid_argument` for a capacity of 0.
    explicit broadcast(const broadcast_options& options = {}) : broadcast_base(options) {}

    /// Sends a value. Returns false and destroys the value if the broadcast is closed.
    /// Awaitable. With `holds_up`, it waits while a subscriber has `capacity` unread values.
    broadcast_send send(T value) const {
        return broadcast_send(parts_, new detail::broadcast_value<T>(std::move(value)));
    }

    /// Sends without waiting.
    /// Returns false and destroys the value if `send` would wait, or the broadcast is closed. Any thread.
    [[nodiscard]] bool try_send(T value) const {
        return broadcast_base::try_send(new detail::broadcast_value<T>(std::move(value)));
    }

    /// Subscribes to future values.
    subscription<T> subscribe() const { return subscription<T>(broadcast_base::subscribe(false)); }

    /// Subscribes to the value sent last, if it is still stored, and to future values.
    /// With `slow_subscriber::drops_oldest`, the value sent last is always stored.
    subscription<T> subscribe_from_latest() const { return subscription<T>(broadcast_base::subscribe(true)); }

    /// Closes the broadcast for senders. Values already sent can still be received. Any thread.
    using broadcast_base::close;
    using broadcast_base::subscribers;  ///< Number of current subscriptions.
};

}  // namespace apus
