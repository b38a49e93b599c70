// SPDX-License-Identifier: Apache-2.0
#include "runtime/broadcast_parts.hpp"

#include <memory>

namespace apus {
namespace detail {

broadcast_base::broadcast_base(const broadcast_options& options) : parts_(new broadcast_parts(options)) {}
void broadcast_base::keep(broadcast_parts* p) noexcept { p->keep(); }
void broadcast_base::let_go(broadcast_parts* p) noexcept { broadcast_parts::release(*p); }

void broadcast_base::close() const noexcept {
    std::lock_guard lock(parts_->mutex);
    parts_->close();
}

std::size_t broadcast_base::subscribers() const noexcept {
    std::lock_guard lock(parts_->mutex);
    return parts_->subscribers;
}

bool broadcast_base::try_send(broadcast_item* item) const noexcept {
    broadcast_item* freed = nullptr;
    bool sent = false;
    {
        std::lock_guard lock(parts_->mutex);
        sent = !parts_->closed && !parts_->full();
        if (sent) parts_->put(item, freed);
    }
    broadcast_parts::release_items(sent ? freed : item);
    return sent;
}

subscriber* broadcast_base::subscribe(bool from_latest) const {
    auto made = std::make_unique<subscriber>(*parts_);
    auto spare = std::make_unique<broadcast_branch>(*parts_, runtime::loop::current());
    keep(&*parts_);
    std::lock_guard lock(parts_->mutex);
    parts_->add(*made, from_latest, *spare);
    if (const auto* const branch = spare.release(); made->branch != branch) delete branch;
    return made.release();
}

void unsubscribe(subscriber* who) noexcept {
    auto& parts = who->parts;
    broadcast_item* freed = nullptr;
    broadcast_branch* empty = nullptr;
    {
        std::lock_guard lock(parts.mutex);
        empty = parts.remove(*who, freed);
    }
    delete empty;
    delete who;
    broadcast_parts::release_items(freed);
    broadcast_parts::release(parts);
}

std::uint64_t dropped_by(const subscriber& who) noexcept { return who.dropped; }

bool broadcast_receive_wait::await_ready() noexcept {
    if (runtime::should_yield()) return false;
    broadcast_item* freed = nullptr;
    {
        std::lock_guard lock(who_->parts.mutex);
        if (!who_->parts.has_unread(*who_)) return false;
        item_ = who_->parts.take(*who_, freed);
    }
    broadcast_parts::release_items(freed);
    return true;
}

// A posted call resumes the subscriber even if a value is available, so that other tasks run first.
bool broadcast_receive_wait::await_suspend(std::coroutine_handle<> waiter) noexcept {
    waits_ = true;
    who_->waiter = waiter;
    auto& parts = who_->parts;
    std::lock_guard lock(parts.mutex);
    who_->branch->wait(*who_);
    who_->branch->wanted = true;
    if (parts.has_unread(*who_)) who_->branch->wake();
    return true;
}

broadcast_item* broadcast_receive_wait::take() noexcept {
    if (!std::exchange(waits_, false)) return item_;
    broadcast_item* freed = nullptr;
    broadcast_item* item = nullptr;
    {
        std::lock_guard lock(who_->parts.mutex);
        item = who_->parts.take(*who_, freed);
    }
    broadcast_parts::release_items(freed);
    return item;
}

void broadcast_receive_wait::stop() noexcept { who_->leave(); }

}  // namespace detail

using detail::broadcast_item;
using detail::broadcast_parts;
using runtime::channel_waiter;

// Allocates the waiter before taking the lock, because the allocation may throw.
bool broadcast_send::await_suspend(std::coroutine_handle<> waiter) {
    auto* queued = new channel_waiter(waiter);
    const bool gives_way = runtime::should_yield();
    broadcast_item* freed = nullptr;
    bool waits = false;
    {
        std::lock_guard lock(of_->mutex);
        waits = !of_->closed && of_->full();
        if (waits) {
            queued->item = std::exchange(item_, nullptr);
            of_->senders.push(*queued);
        } else {
            ok_ = !of_->closed;
            if (ok_) of_->put(std::exchange(item_, nullptr), freed);
            if (gives_way) queued->post(ok_);
        }
        if (waits || gives_way) ticket_ = queued;
    }
    broadcast_parts::release_items(freed);
    if (waits || gives_way) return true;
    delete queued;
    return false;
}

bool broadcast_send::await_resume() noexcept {
    if (auto* queued = static_cast<channel_waiter*>(std::exchange(ticket_, nullptr))) {
        if (queued->item) item_ = static_cast<broadcast_item*>(queued->item);
        ok_ = queued->ok;
        delete queued;
    }
    return ok_;
}

broadcast_send::~broadcast_send() {
    if (auto* queued = static_cast<channel_waiter*>(ticket_)) {
        std::unique_lock lock(of_->mutex);
        if (queued->item) item_ = static_cast<broadcast_item*>(std::exchange(queued->item, nullptr));
        if (queued->posted) {
            queued->abandoned = true;
        } else {
            of_->senders.remove(*queued);
            lock.unlock();
            delete queued;
        }
    }
    if (item_) item_->let_go();
}

}  // namespace apus
