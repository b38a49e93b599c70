// SPDX-License-Identifier: Apache-2.0
#pragma once

// A bounded queue between tasks, on one core or several.

#include <apus/detail/shared.hpp>
#include <apus/task.hpp>

#include <cstddef>

namespace apus {

namespace detail {

/// A type-erased value in a channel.
struct channel_item {
    channel_item* next = nullptr;
    void (*destroy)(channel_item*) noexcept;
};

template <class T>
struct channel_value final : channel_item {
    T value;

    explicit channel_value(T&& v)
        : channel_item{nullptr, [](channel_item* self) noexcept { delete static_cast<channel_value*>(self); }},
          value(std::move(v)) {}
    static void* operator new(std::size_t size) { return frame_allocate(size); }
    static void operator delete(void* self, std::size_t size) noexcept { frame_free(self, size); }
};

class channel_parts;

class channel_base {
public:
    void close() const noexcept;
    bool is_closed() const noexcept;
    std::size_t size() const noexcept;

protected:
    explicit channel_base(std::size_t capacity);
    bool try_send(channel_item*) const noexcept;  // takes ownership, even if it returns false
    channel_item* try_receive() const noexcept;

    friend class shared<channel_base, channel_parts>;
    static void keep(channel_parts*) noexcept;
    static void let_go(channel_parts*) noexcept;
    shared<channel_base, channel_parts> parts_;
};

/// Awaitable: waits until its value is sent or, if it has no value, until a value is received.
class channel_wait {
public:
    channel_wait(const channel_wait&) = delete;
    channel_wait& operator=(const channel_wait&) = delete;
    ~channel_wait();

    bool await_ready() noexcept;
    bool await_suspend(std::coroutine_handle<> waiter);

protected:
    channel_wait(const shared<channel_base, channel_parts>& of, channel_item* item) noexcept
        : of_(of), sends_(item != nullptr), item_(item) {}
    bool finish() noexcept;  // called by `await_resume`
    channel_item* item() const noexcept { return item_; }

private:
    shared<channel_base, channel_parts> of_;
    const bool sends_;
    bool ok_ = false;
    channel_item* item_;
    void* ticket_ = nullptr;
};

}  // namespace detail

/// Awaitable: waits while the channel is full. Returned by `channel::send`.
class [[nodiscard("sends only when awaited: write co_await")]] channel_send : public detail::channel_wait {
public:
    /// Used by the library.
    channel_send(const detail::shared<detail::channel_base, detail::channel_parts>& of,
                 detail::channel_item* item) noexcept
        : channel_wait(of, item) {}
    bool await_resume() noexcept { return finish(); }
};

/// Awaitable: waits while the channel is empty. Returned by `channel::receive`.
template <class T>
class [[nodiscard("receives only when awaited: write co_await")]] channel_receive : public detail::channel_wait {
public:
    /// Used by the library.
    explicit channel_receive(const detail::shared<detail::channel_base, detail::channel_parts>& of) noexcept
        : channel_wait(of, nullptr) {}
    std::optional<T> await_resume() {
        finish();
        if (!item()) return {};
        return std::optional<T>(std::move(static_cast<detail::channel_value<T>*>(item())->value));
    }
};

/// Bounded queue: each value goes to one receiver, in the order of sending.
/// Any number of tasks on any cores may send and receive. Copies refer to the same channel.
///
/// If a sending task is cancelled, its value may or may not be sent. If a receiving task is cancelled, no value is
/// lost. A value that is never received is destroyed on the thread that destroys the last copy of the channel.
template <class T>
class channel : detail::channel_base {
public:
    /// `capacity`: maximum values in the channel. 0: a sender waits until its value is received.
    explicit channel(std::size_t capacity) : channel_base(capacity) {}

    /// Sends a value; `co_await` waits while the channel is full.
    /// Returns false and destroys the value if the channel is closed before the call or during the wait.
    channel_send send(T value) const { return channel_send(parts_, new detail::channel_value<T>(std::move(value))); }

    /// Receives a value; `co_await` waits while the channel is empty.
    /// Returns an empty optional when the channel is closed and empty.
    channel_receive<T> receive() const noexcept { return channel_receive<T>(parts_); }

    /// Sends without waiting.
    /// Returns false and destroys the value if the channel is full or closed. Any thread.
    [[nodiscard]] bool try_send(T value) const {
        return channel_base::try_send(new detail::channel_value<T>(std::move(value)));
    }

    /// Receives without waiting. Returns an empty optional if the channel is empty. Any thread.
    std::optional<T> try_receive() const {
        auto* item = channel_base::try_receive();
        if (!item) return {};
        std::optional<T> value(std::move(static_cast<detail::channel_value<T>*>(item)->value));
        item->destroy(item);
        return value;
    }

    /// Closes the channel for senders; waiting senders get false. Queued values can still be received.
    /// Any thread.
    using channel_base::close;
    using channel_base::is_closed;  ///< Whether `close` was called.
    using channel_base::size;       ///< Number of values that no task has received.
};

}  // namespace apus
