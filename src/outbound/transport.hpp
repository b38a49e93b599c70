// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"

#include <coroutine>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace apus::outbound {

/// Why somebody who waited goes on.
enum class wake : std::uint8_t {
    stirred,  ///< Something has changed: bytes, room, an end. Look again.
    late,
};

/// A place where one coroutine waits for something to change, until a deadline.
class waiter : public runtime::timer {
public:
    waiter() noexcept;
    ~waiter() { stop(); }

    /// Resumes who waits, if somebody does. It may destroy this.
    void stir(wake why = wake::stirred) noexcept;
    bool waited_for() const noexcept { return static_cast<bool>(who_); }

    /// `co_await w.until(deadline)`; `deadline` in milliseconds of the loop. Cancelling ends the wait.
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
    waiting until(std::uint64_t deadline) noexcept { return {*this, deadline}; }

private:
    void stop() noexcept;

    std::coroutine_handle<> who_;
    wake why_ = wake::stirred;
};

/// Bytes to and from one peer, for coroutines: one that reads, and one that writes. What is
/// beneath, a socket or one day a TLS session over it, derives from this. Made with `new`; after
/// `close` it deletes itself when the loop is done with it.
class transport {
public:
    transport(const transport&) = delete;
    transport& operator=(const transport&) = delete;

    virtual void send(std::string_view bytes) = 0;  ///< Copies.
    virtual std::size_t unsent() const noexcept = 0;
    virtual void close() noexcept = 0;   ///< At once. What is unsent is lost.
    virtual void expect_much(bool) = 0;  ///< Much is going to arrive, or no longer.
    /// Asks the kernel whether an idle peer has ended or sent something.
    virtual bool is_dead() noexcept = 0;

    /// What has arrived and was not used. Stays where it is until `gather`.
    std::string_view unread() const noexcept { return std::string_view(front_).substr(at_); }
    void use(std::size_t bytes) noexcept { at_ += bytes; }
    /// Adds what has arrived since to `unread`; true if there was something. Receives on.
    bool gather();

    bool ended() const noexcept { return ended_; }  ///< The peer sends no more.
    int error() const noexcept { return error_; }   ///< An errno, if that was no orderly end.

    waiter reading;  ///< Stirred when something arrives or ends.
    waiter writing;  ///< Stirred when little is unsent.

    /// Told when something stirs while nobody reads: for connections that are kept.
    struct watcher {
        virtual void stirred(transport&) noexcept = 0;
        virtual void has_room(transport&) noexcept {}  // little is unsent, and nobody waits for that by `writing`

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

    std::string front_;  // being read, from at_ on
    std::string back_;   // arrived since
    std::size_t at_ = 0;
    int error_ = 0;
    bool ended_ = false;
    bool paused_ = false;
};

}  // namespace apus::outbound
