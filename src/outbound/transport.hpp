// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <coroutine>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace apus::outbound {

/// Why a waiting coroutine was resumed.
enum class wake : std::uint8_t {
    /// `waiter::notify` was called. The coroutine must check its condition again.
    notified,
    late,  ///< The deadline has passed.
};

/// Lets one coroutine wait for an event, until a deadline.
class waiter : public runtime::timer {
public:
    waiter() noexcept;
    ~waiter() { stop(); }

    /// Resumes the waiting coroutine, if there is one. The coroutine may destroy this object.
    void notify(wake why = wake::notified) noexcept;
    bool has_waiter() const noexcept { return static_cast<bool>(waiter_); }

    /// Awaitable of `until`. Destroying it cancels the wait.
    class [[nodiscard]] waiting {
    public:
        waiting(waiter& at, std::uint64_t deadline) noexcept : at_(&at), due_(deadline) {}
        waiting(const waiting&) = delete;
        waiting& operator=(const waiting&) = delete;
        ~waiting() {
            if (waits_) at_->stop();
        }
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> who) noexcept;
        wake await_resume() noexcept;

    private:
        waiter* at_;
        std::uint64_t due_;
        bool waits_ = false;
    };
    /// `co_await w.until(deadline)` waits; `deadline` is in milliseconds of the loop's clock.
    waiting until(std::uint64_t deadline) noexcept { return {*this, deadline}; }

private:
    void stop() noexcept;

    std::coroutine_handle<> waiter_;
    wake why_ = wake::notified;
};

/// A byte stream to one peer, with one reader and one writer coroutine.
/// Allocate with `new`. After `close`, the transport deletes itself as soon as the event loop has released it.
class transport {
public:
    transport(const transport&) = delete;
    transport& operator=(const transport&) = delete;

    virtual void send(std::string_view bytes) = 0;  ///< Copies `bytes`.
    virtual std::size_t unsent() const noexcept = 0;
    virtual void close() noexcept = 0;         ///< Closes at once; unsent bytes are lost.
    virtual void use_large_buffers(bool) = 0;  ///< Selects whether to use large receive buffers.
    /// Checks, without waiting, whether the peer has closed an idle connection or sent bytes on it.
    virtual bool is_dead() noexcept = 0;
    /// Protocol negotiated by ALPN; empty if the server selected none, `std::nullopt` without TLS.
    virtual std::optional<std::string_view> application() const noexcept = 0;

    /// Bytes that were received but not consumed. Valid until the next `gather`.
    std::string_view unread() const noexcept { return std::string_view(front_).substr(at_); }
    void use(std::size_t bytes) noexcept { at_ += bytes; }
    /// Moves newly received bytes to the end of `unread`, and resumes receiving if it was paused.
    /// Returns true if bytes were moved.
    bool gather();

    bool ended() const noexcept { return ended_; }  ///< The peer has closed its side.
    int error() const noexcept { return error_; }   ///< An errno if the stream ended abnormally; otherwise 0.

    waiter reading;  ///< Notified when bytes arrive or the stream ends.
    waiter writing;  ///< Notified when at most half of `high_water` is unsent, or the stream ends.

    /// Observer of a transport on which no coroutine waits.
    struct watcher {
        // Called when bytes arrive or the stream ends, if no task waits for `reading`.
        virtual void on_event(transport&) noexcept = 0;
        // Called when at most half of `high_water` is unsent, if no task waits for `writing`.
        virtual void has_room(transport&) noexcept {}

    protected:
        ~watcher() = default;
    };
    watcher* idle_watcher = nullptr;

    static constexpr std::size_t high_water = 64 * 1024;

protected:
    transport() = default;
    ~transport() = default;

    virtual void receive() = 0;
    virtual void pause() = 0;

    void arrived(std::string_view bytes);
    void end(int error) noexcept;
    void sent_some() noexcept;

private:
    void tell() noexcept;

    std::string front_;  // bytes that are being read; those before at_ are consumed
    std::string back_;   // bytes that arrived since the last `gather`
    std::size_t at_ = 0;
    int error_ = 0;
    bool ended_ = false;
    bool paused_ = false;
};

}  // namespace apus::outbound
