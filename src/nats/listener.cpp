// SPDX-License-Identifier: Apache-2.0
#include "nats/listener.hpp"

#include "nats/session.hpp"

#include <utility>

namespace apus::nats {

/// Waits until `wake` is called.
class listener::wait final : public runtime::timed_wait {
public:
    explicit wait(listener& of) : timed_wait(of.session_->loop(), nullptr), of_(&of) {}
    ~wait() {
        if (of_->waiting_ == this) of_->waiting_ = nullptr;
    }
    void await_suspend(std::coroutine_handle<> waiter) noexcept {
        begin_wait(waiter);
        of_->waiting_ = this;
    }
    void finish() noexcept { end_wait(); }

private:
    listener* of_;
};

listener::listener(session& of, std::string name, std::string group)
    : subject(std::move(name)), queue(std::move(group)), number(of.next_number()), session_(&of) {
    of.add(*this);
}

listener::~listener() {
    if (session_) session_->remove(*this);
}

task<std::optional<message>> listener::next() {
    while (true) {
        if (std::exchange(dropped_, false)) co_return message{.gap = true};
        if (!unread_.empty()) {
            message first = std::move(unread_.front());
            unread_.pop_front();
            bytes_ -= size_of(first);
            begun_ = true;
            co_return std::move(first);
        }
        if (failed_ && !begun_) co_await failure(*std::exchange(failed_, std::nullopt));
        if (!session_) co_return std::nullopt;
        co_await wait(*this);
    }
}

std::size_t listener::size_of(const message& of) noexcept {
    std::size_t size = sizeof of + of.subject.size() + of.reply.size() + of.payload.size();
    for (const header& one : of.headers) size += sizeof one + one.name.size() + one.value.size();
    return size;
}

void listener::push(message one) {
    const auto& most = session_->options();
    bytes_ += size_of(one);
    unread_.push_back(std::move(one));
    while (unread_.size() > 1 && (unread_.size() > most.messages || bytes_ > most.message_bytes)) {
        bytes_ -= size_of(unread_.front());
        unread_.pop_front();
        dropped_ = true;
        session_->counts().add(messages_dropped);
    }
    wake();
}

void listener::sent(std::uint64_t confirmed_by) noexcept { confirmed_by_ = confirmed_by; }

void listener::confirm(std::uint64_t pong) {
    if (ready_ || refused_ || confirmed_by_ != pong) return;
    ready_ = true;
    failed_.reset();
    push({.gap = true});
}

void listener::interrupt() noexcept {
    ready_ = refused_ = false;
    confirmed_by_ = 0;
}

void listener::fail_starting(const error& why) {
    if (begun_ || ready_) return;
    failed_ = why;
    wake();
}

void listener::refuse(const error& why) {
    refused_ = true;
    fail_starting(why);
}

void listener::end() noexcept {
    session_ = nullptr;
    wake();
}

void listener::wake() noexcept {
    if (auto* const waiting = std::exchange(waiting_, nullptr)) waiting->finish();
}

}  // namespace apus::nats
