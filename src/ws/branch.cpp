// SPDX-License-Identifier: Apache-2.0
#include "ws/branch.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace apus::ws {
namespace {

// What the next members need is fetched while the kernel is busy with this one: they lie all over the memory.
void bring_near(std::span<member* const> from) noexcept {
    if (from.size() > 3) __builtin_prefetch(from[3]);
    if (from.size() > 2 && from[2]) __builtin_prefetch(from[2]->of);
    if (from.size() > 1 && from[1] && from[1]->of) from[1]->of->bring_near();
}

constexpr std::size_t batch_most = 64 * 1024;  // of small messages together; a large one is a batch of its own

}  // namespace

member::member(branch& b, room& r, session& s) : of(&s), window_bits(s.window_bits()), in(&r), on(b.shared_from_this()) {
    r.members.push_back(this);
    s.attach(*this);
    if (window_bits) on->compressing(window_bits).fetch_add(1, std::memory_order_relaxed);
}

member::~member() {
    if (window_bits) on->compressing(window_bits).fetch_sub(1, std::memory_order_relaxed);
    if (of) of->detach(*this);
    on->leave(*this);
}

void member::give_up_oldest() noexcept {
    waiting_bytes -= waiting.front().frame().size();
    waiting.pop_front();
}

void member::put_aside(const shared& message, const hub_options& how) {
    const put_off made{message, message->fits(window_bits)};
    const auto fits = [&] { return waiting_bytes + made.frame().size() <= how.member_bytes; };
    if (how.slow == slow_member::drop_oldest)
        while (!waiting.empty() && !fits()) give_up_oldest();
    if (fits()) {
        waiting.push_back(made);
        waiting_bytes += made.frame().size();
        return of->call_when_room();
    }
    if (how.slow != slow_member::close) return;
    waiting.clear();
    waiting_bytes = 0;
    of->close(1013, "too slow for this room");
}

bool member::write_on() {
    while (!waiting.empty() && of->is_open()) {
        if (!of->may_go_on()) return false;
        of->put_frames(waiting.front().frame(), waiting.front().small);
        give_up_oldest();
    }
    return true;
}

branch::branch(runtime::loop& of, const hub_options& how) : loop_(of), how_(how) {
    later_.of = this;
    later_.run = [](runtime::deferred& d) noexcept { static_cast<sending&>(d).of->send_due(); };
    at_end_.of = this;
    at_end_.run = [](runtime::loop_end& e) noexcept { static_cast<ending&>(e).of->end(); };
    loop_.at_end(at_end_);
}

branch::~branch() = default;

// A thread that has seen that this has not ended may be about to post: that takes no longer than a
// letter into a mailbox.
void branch::end() noexcept {
    if (ended_.exchange(true)) return;
    while (posting_.load() != 0) std::this_thread::yield();
    loop_.forget(later_);
    runtime::loop::take_out(at_end_);
}

void branch::leave(member& m) noexcept {
    auto& members = m.in->members;
    const auto at = std::find(members.begin(), members.end(), &m);
    if (busy_) {
        *at = nullptr;
        return;
    }
    *at = members.back();
    members.pop_back();
    if (!members.empty() || !m.in->due.empty()) return;
    const auto same = [&m](const auto& entry) { return &entry.second == m.in; };
    if (const auto found = std::ranges::find_if(rooms_, same); found != rooms_.end()) rooms_.erase(found);
}

void branch::send(std::string_view name, const shared& message) {
    const auto found = rooms_.find(name);
    if (found == rooms_.end()) return;
    if (found->second.due.empty()) due_.push_back(found->first);
    found->second.due.push_back(message);
    loop_.later(later_);
}

void branch::post(std::string_view name, const shared& message) {
    auto* letter = new news;
    letter->to = shared_from_this();
    letter->room = name;
    letter->message = message;
    letter->open = [](runtime::letter& l) noexcept {
        const std::unique_ptr<news> own(&static_cast<news&>(l));
        try {
            if (!own->to->ended_) own->to->send(own->room, own->message);
        } catch (...) {
            (void)apus::detail::error_from_current_exception();  // told to the log; nobody else is here
        }
    };
    posting_.fetch_add(1);
    if (ended_.load()) delete letter;
    else loop_.post(*letter);
    posting_.fetch_sub(1);
}

void branch::send_due() noexcept {
    busy_ = true;
    for (const std::string& name : due_) {
        const auto found = rooms_.find(name);
        if (found == rooms_.end()) continue;
        try {
            send_due(found->second);
        } catch (...) {
            (void)apus::detail::error_from_current_exception();
            found->second.due.clear();
        }
    }
    busy_ = false;
    for (const std::string& name : due_) {
        const auto found = rooms_.find(name);
        if (found == rooms_.end()) continue;
        std::erase(found->second.members, nullptr);
        if (found->second.members.empty()) rooms_.erase(found);
    }
    due_.clear();
}

// The messages of a turn go out together.
void branch::send_due(room& in) {
    const auto& due = in.due;
    for (std::size_t first = 0, last; first < due.size(); first = last) {
        std::size_t size = 0;
        for (last = first; last < due.size() && (last == first || size + due[last]->plain.size() <= batch_most); ++last) size += due[last]->plain.size();
        give(in, std::span(due).subspan(first, last - first));
    }
    in.due.clear();
}

// A batch lies in the arena once, for all. `bits`: as it is sent to those who have such a window.
std::string_view branch::laid_out(std::span<const shared> messages, unsigned bits) {
    auto& arena = loop_.io().arena();
    arena.begin();
    for (const auto& message : messages) {
        const std::string& frame = message->frame(message->fits(bits));
        char* to = arena.room(frame.size());
        std::memcpy(to, frame.data(), frame.size());
        arena.wrote(to + frame.size());
    }
    const std::string_view batch = arena.batch();
    arena.begin();
    return batch;
}

void branch::give(room& in, std::span<const shared> batch) {
    unsigned bits = 0, takers = 0;
    for (const auto& message : batch) bits = std::max(bits, message->bits);
    for (unsigned each = bits; bits != 0 && each <= 15; ++each) takers += compressing(each);
    const std::string_view plain = laid_out(batch, 0);
    const std::string_view small = takers ? laid_out(batch, bits) : std::string_view();
    for (std::size_t i = 0; i < in.members.size(); ++i) {
        bring_near(std::span(in.members).subspan(i));
        member* m = in.members[i];
        if (!m || !m->of || !m->of->is_open()) continue;
        if (m->waiting_bytes != 0 || !m->of->may_go_on()) {
            for (std::size_t at = 0; at < batch.size() && m->of->is_open(); ++at) m->put_aside(batch[at], how_);
            continue;
        }
        const bool compressed = bits != 0 && m->window_bits >= bits;
        m->of->put_batch(compressed ? small : plain, compressed);
    }
}

}  // namespace apus::ws
