// SPDX-License-Identifier: Apache-2.0
#include "outbound/transport.hpp"

namespace apus::outbound {

waiter::waiter() noexcept : timer([](runtime::timer& t) noexcept { static_cast<waiter&>(t).stir(wake::late); }) {}

void waiter::stir(wake why) noexcept {
    if (!who_) return;
    runtime::loop::current().timers().remove(*this);
    why_ = why;
    std::exchange(who_, {}).resume();
}

void waiter::stop() noexcept {
    who_ = {};
    if (waits()) runtime::loop::current().timers().remove(*this);
}

void waiter::waiting::await_suspend(std::coroutine_handle<> who) noexcept {
    waits_ = true;
    at_->who_ = who;
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
    writing.stir();
}

void transport::tell() noexcept {
    if (reading.waited_for()) reading.stir();
    else if (idle_watcher) idle_watcher->stirred(*this);
}

void transport::sent_some() noexcept {
    if (unsent() > high_water / 2) return;
    if (writing.waited_for()) writing.stir();
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
