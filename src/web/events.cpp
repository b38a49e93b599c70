// SPDX-License-Identifier: Apache-2.0
#include <apus/events.hpp>

#include "http/exchange.hpp"
#include "runtime/loop.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace apus {
namespace {

using namespace std::string_view_literals;

// Throws unless a value fits in one line: it must not contain a line break, or NUL, which would invalidate an id.
void check_line(std::string_view text, const char* what) {
    if (text.find_first_of("\r\n\0"sv) != text.npos)
        throw std::invalid_argument(std::string("event: the ") + what + " contains a line break or NUL");
}

void add_line(std::string& out, std::string_view field, std::string_view value) { ((out += field) += value) += '\n'; }

// Writes each line of the text as a field; CR, LF and CRLF each end a line.
void add_lines(std::string& out, std::string_view field, std::string_view text) {
    for (;;) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        add_line(out, field, text.substr(0, end));
        if (end == text.size()) return;
        text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
    }
}

}  // namespace

// Sends heartbeats while the stream is idle. Skips them while earlier output is unsent.
struct event_writer::heartbeat : runtime::timer {
    writer* out;
    http::exchange* of;
    std::uint64_t rest;  // milliseconds between beats
    std::uint64_t last;  // time of the last write

    heartbeat(writer& to, http::exchange& x, std::uint64_t milliseconds)
        : timer([](timer& t) noexcept { static_cast<heartbeat&>(t).send_heartbeat(); }),
          out(&to),
          of(&x),
          rest(milliseconds),
          last(now()) {
        runtime::loop::current().timers().add(*this, last + rest);
    }
    heartbeat(const heartbeat&) = delete;
    heartbeat& operator=(const heartbeat&) = delete;
    ~heartbeat() { runtime::loop::current().timers().remove(*this); }

    static std::uint64_t now() noexcept { return runtime::loop::current().now(); }

    void send_heartbeat() noexcept {
        const std::uint64_t time = now();
        if (time >= last + rest) {
            last = time;
            if (of->via->can_write(*of)) (void)out->write(":\n\n");
        }
        runtime::loop::current().timers().add(*this, last + rest);
    }
};

event_writer::event_writer(request& in, writer& out, const events_options& options) : in_(&in), out_(&out) {
    if (options.retry > duration()) (void)write("retry: " + std::to_string(options.retry.milliseconds()) + "\n\n");
    if (options.heartbeat > duration()) {
        const auto rest = static_cast<std::uint64_t>(std::max<std::int64_t>(options.heartbeat.milliseconds(), 1));
        heart_ = new heartbeat(out, detail::exchange_of(in), rest);
    }
}

event_writer::~event_writer() { delete heart_; }

body_write event_writer::write(std::string_view text) {
    if (heart_) heart_->last = heartbeat::now();
    return out_->write(text);
}

body_write event_writer::send(std::string_view data, std::string_view name, std::string_view id) {
    check_line(name, "name");
    check_line(id, "id");
    std::string text;
    text.reserve(data.size() + name.size() + id.size() + 32);
    if (!name.empty()) add_line(text, "event: ", name);
    if (!id.empty()) add_line(text, "id: ", id);
    add_lines(text, "data: ", data);
    text += '\n';
    return write(text);
}

body_write event_writer::comment(std::string_view comment) {
    std::string text;
    add_lines(text, ": ", comment);
    text += '\n';
    return write(text);
}

bool event_writer::stopping() const noexcept { return out_->stopping(); }

// The waiting coroutine is resumed only after the current event. When the task ends, its frame is still in use, and a
// shutdown begins within a callback of the connection.
struct detail::event_run::state final : detail::completion, http::drain_listener, runtime::deferred {
    state(http::exchange& x, task<> sending, bool stops) : of(x), running(sending.release()), ends_at_stop(stops) {
        completion::run = [](completion* c) noexcept { runtime::loop::current().later(static_cast<state&>(*c)); };
        deferred::run = [](deferred& d) noexcept {
            auto& s = static_cast<state&>(d);
            if (s.waiter) std::exchange(s.waiter, {}).resume();
        };
        running.promise().done = this;
        if (ends_at_stop) of.on_drain = this;
    }
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() {
        if (of.on_drain == this) of.on_drain = nullptr;
        runtime::loop::current().forget(*this);
        if (running) running.destroy();
    }

    void drain(http::drain_cause) noexcept override {
        if (!waiter) return;
        if (!running.promise().outcome) std::exchange(running, {}).destroy();
        runtime::loop::current().later(*this);
    }

    http::exchange& of;
    task<>::handle running;
    std::coroutine_handle<> waiter;
    bool ends_at_stop;
};

detail::event_run::event_run(event_writer& to, task<> of, const events_options& options)
    : state_(new state(exchange_of(*to.in_), std::move(of), options.ends_at_stop)) {}

detail::event_run::~event_run() { delete state_; }

bool detail::event_run::await_ready() const noexcept { return state_->ends_at_stop && state_->of.via->stopping(); }

bool detail::event_run::start(std::coroutine_handle<> waiter, promise_base& caller) {
    state_->running.promise().caller = &caller;
    state_->running.resume();
    if (state_->running.promise().outcome) {
        runtime::loop::current().forget(*state_);
        return false;
    }
    state_->waiter = waiter;
    return true;
}

result<void> detail::event_run::await_resume() {
    if (!state_->running || !state_->running.promise().outcome) return {};
    return *std::move(state_->running.promise().outcome);
}

std::string_view event_writer::last_id() const noexcept { return in_->header("last-event-id"); }

response detail::event_stream(producer from) {
    response out;
    out.produce(from, "text/event-stream");
    // Intermediaries must not store the events, or buffer them.
    out.header("cache-control", "no-store");
    out.header("x-accel-buffering", "no");
    return out;
}

}  // namespace apus
