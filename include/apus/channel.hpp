// SPDX-License-Identifier: Apache-2.0
#pragma once

// A bounded queue between tasks, on one core or several.

#include <apus/detail/shared.hpp>
#include <apus/task.hpp>

#include <cstddef>

namespace apus {

namespace detail {

/// A value in a channel, whatever its type.
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
    bool try_send(channel_item*) const noexcept;  // takes it in any case
    channel_item* try_receive() const noexcept;

    friend class shared<channel_base, channel_parts>;
    static void keep(channel_parts*) noexcept;
    static void let_go(channel_parts*) noexcept;
    shared<channel_base, channel_parts> parts_;
};

/// Waits until a value was taken into the channel, or one came out of it.
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
    bool finish() noexcept;  // in `await_resume`
    channel_item* item() const noexcept { return item_; }

private:
    shared<channel_base, channel_parts> of_;
    const bool sends_;
    bool ok_ = false;
    channel_item* item_;
    void* ticket_ = nullptr;
};

}  // namespace detail

/// Waits while a channel is full. Made by `channel::send`.
class [[nodiscard("the value is sent when this is awaited")]] channel_send : public detail::channel_wait {
public:
    /// For the library.
    channel_send(const detail::shared<detail::channel_base, detail::channel_parts>& of,
                 detail::channel_item* item) noexcept
        : channel_wait(of, item) {}
    bool await_resume() noexcept { return finish(); }
};

/// Waits while a channel is empty. Made by `channel::receive`.
template <class T>
class [[nodiscard("a value is received when this is awaited")]] channel_receive : public detail::channel_wait {
public:
    /// For the library.
    explicit channel_receive(const detail::shared<detail::channel_base, detail::channel_parts>& of) noexcept
        : channel_wait(of, nullptr) {}
    std::optional<T> await_resume() {
        finish();
        if (!item()) return {};
        return std::optional<T>(std::move(static_cast<detail::channel_value<T>*>(item())->value));
    }
};

/// Bounded queue of values: each goes to one receiver, in the order in which they were sent. Any number of tasks
/// on any cores may send and receive. Copies of a channel are the same channel.
///
/// A task that is cancelled while it sends has sent the value or not; one that is cancelled while it
/// receives has taken none. Values are destroyed on the core that holds them last.
template <class T>
class channel : detail::channel_base {
public:
    /// With room for so many values. 0: a sender waits until its value is received.
    explicit channel(std::size_t capacity) : channel_base(capacity) {}

    /// To be awaited: waits while the channel is full. Gives false, with the value destroyed, if it is or becomes closed.
    channel_send send(T value) const { return channel_send(parts_, new detail::channel_value<T>(std::move(value))); }

    /// To be awaited: waits for a value. Gives none when the channel is closed and empty.
    channel_receive<T> receive() const noexcept { return channel_receive<T>(parts_); }

    /// From any thread. Gives false, with the value destroyed, if the channel is full or closed.
    [[nodiscard]] bool try_send(T value) const {
        return channel_base::try_send(new detail::channel_value<T>(std::move(value)));
    }

    /// From any thread. Gives none if the channel is empty.
    std::optional<T> try_receive() const {
        auto* item = channel_base::try_receive();
        if (!item) return {};
        std::optional<T> value(std::move(static_cast<detail::channel_value<T>*>(item)->value));
        item->destroy(item);
        return value;
    }

    /// From any thread: nothing more can be sent, and tasks that wait to send get false. What is in it can still be
    /// received.
    using channel_base::close;
    using channel_base::is_closed;  ///< Whether `close` was called.
    using channel_base::size;       ///< Values in it now.
};

}  // namespace apus
