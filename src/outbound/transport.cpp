// SPDX-License-Identifier: Apache-2.0
#include "outbound/transport.hpp"

namespace apus::outbound {

waiter::waiter() noexcept : timer([](runtime::timer& t) noexcept { static_cast<waiter&>(t).notify(wake::late); }) {}

void waiter::notify(wake why) noexcept {
    if (!waiter_) return;
    runtime::loop::current().timers().remove(*this);
    why_ = why;
    std::exchange(waiter_, {}).resume();
}

void waiter::stop() noexcept {
    waiter_ = {};
    if (waits()) runtime::loop::current().timers().remove(*this);
}

void waiter::waiting::await_suspend(std::coroutine_handle<> who) noexcept {
    waits_ = true;
    at_->waiter_ = who;
    runtime::loop::current().timers().add(*at_, due_);
}

wake waiter::waiting::await_resume() noexcept {
    waits_ = false;
    return at_->why_;
}

void transport::arrived(std::string_view bytes) {
    back_ += bytes;
    if (back_.size() >= high_water && !paused_) {
        paused_ = true;
        pause();
    }
    tell();
}

void transport::end(int error) noexcept {
    ended_ = true;
    error_ = error;
    tell();
    writing.notify();
}

void transport::tell() noexcept {
    if (reading.has_waiter()) reading.notify();
    else if (idle_watcher) idle_watcher->on_event(*this);
}

void transport::sent_some() noexcept {
    if (unsent() > high_water / 2) return;
    if (writing.has_waiter()) writing.notify();
    else if (idle_watcher) idle_watcher->has_room(*this);
}

bool transport::gather() {
    const bool more = !back_.empty();
    if (at_ == front_.size()) {
        std::swap(front_, back_);
        at_ = 0;
        back_.clear();
    } else if (more) {
        front_.erase(0, at_);
        front_ += back_;
        at_ = 0;
        back_.clear();
    }
    if (paused_) {
        paused_ = false;
        receive();
    }
    return more;
}

}  // namespace apus::outbound
