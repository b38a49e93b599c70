// SPDX-License-Identifier: Apache-2.0
#include "outbound/h2/connection.hpp"
#include "outbound/pool.hpp"

#include <utility>

// HTTP/2 connections of a pool. Each is shared by many requests.

namespace apus::outbound {

// Returns a connection with a free stream, or null.
h2::connection* pool::find_shared(const origin& o) noexcept {
    for (auto* c : o.shared)
        if (c->available()) return c;
    return nullptr;
}

h2::connection* pool::take_shared(origin& o, bool careful) noexcept {
    while (auto* c = find_shared(o)) {
        // If anything has arrived on an idle connection, the server is probably closing it.
        if (!careful || !c->idle() || !c->is_dead()) {
            c->reserve();
            return c;
        }
        const origin_hold here(o);
        c->close();
    }
    return nullptr;
}

void pool::lease::share(transport& t) {
    if (std::exchange(dials_, false)) pool_->end_dial(*to_, false, false);
    shared_ = new h2::connection(*pool_, *to_, t);
    shared_->reserve();
    to_->shared.push_back(shared_);
    shared_->start();
}

void pool::give_up(lease& l) noexcept {
    if (l.shared_) return l.shared_->release(true);
    if (l.dials_) end_dial(*l.to_, false, true);
    discard(*l.to_, l.has_);
}

void pool::end_dial(origin& o, bool http1, bool failed) noexcept {
    --o.dialing;
    o.http1 = http1;
    o.failed = failed;
    note_capacity();
}

// Whether a request waits for a connection that is being established instead of opening another one. A single HTTP/2
// connection can carry many requests. Requests do not wait if the previous connection used HTTP/1.1 or failed.
bool pool::awaits_dial(const origin& o, bool may_share) const noexcept {
    return may_share && o.dialing > 0 && !o.http1 && !o.failed;
}

void pool::remove(origin& o, h2::connection& c) noexcept {
    std::erase(o.shared, &c);
    --o.open;
    count_open(open - 1);
    forget(o);
    note_capacity();
}

void pool::close_shared() noexcept {
    for (bool found = true; found;) {
        found = false;
        for (auto& [name, o] : origins_) {
            if (o.shared.empty()) continue;
            o.shared.back()->end();
            found = true;
            break;  // `end` may have removed the origin
        }
    }
}

}  // namespace apus::outbound
