// SPDX-License-Identifier: Apache-2.0
#include "ws/hub_shard.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

namespace apus::ws {
namespace {

// Prefetches the next recipients of the message, since members are scattered in memory.
void prefetch(std::span<member* const> from) noexcept {
    if (from.size() > 3) __builtin_prefetch(from[3]);
    if (from.size() > 2 && from[2]) __builtin_prefetch(from[2]->of);
    if (from.size() > 1 && from[1] && from[1]->of) from[1]->of->prefetch();
}

// maximum bytes of a batch of several messages; a larger message is sent alone
constexpr std::size_t max_batch_bytes = 64 * 1024;

// Limits per core and event loop iteration. Sending to a member takes some microseconds.
constexpr std::size_t members_of_turn = 256, bytes_of_turn = runtime::backend::max_turn_bytes;

}  // namespace

member::member(hub_shard& b, room& r, session& s)
    : of(&s), window_bits(s.window_bits()), in(&r), on(b.shared_from_this()) {
    r.members.push_back(this);
    s.attach(*this);
    if (window_bits) on->compressing(window_bits).fetch_add(1, std::memory_order_relaxed);
}

member::~member() {
    if (window_bits) on->compressing(window_bits).fetch_sub(1, std::memory_order_relaxed);
    if (of) of->detach(*this);
    while (!waiting.empty()) drop_oldest();
    on->leave(*this);
}

void member::drop_oldest() noexcept {
    waiting_bytes -= waiting.front().frame().size();
    on->let_go(waiting.front().message);
    waiting.pop_front();
}

void member::enqueue(const shared& message, const hub_options& how) {
    const queued_message made{message, message->fits(window_bits)};
    const auto fits = [&] { return waiting_bytes + made.frame().size() <= how.member_bytes; };
    if (how.slow == slow_member::drop_oldest)
        while (!waiting.empty() && !fits()) drop_oldest();
    if (fits()) {
        on->keep(message);
        waiting.push_back(made);
        waiting_bytes += made.frame().size();
        return of->call_when_writable();
    }
    if (how.slow != slow_member::close) return;
    while (!waiting.empty()) drop_oldest();
    of->close(1013, "too slow for this room");
}

bool member::on_writable() {
    while (!waiting.empty() && of->is_open()) {
        if (!of->can_write()) return false;
        of->put_frame(waiting.front().frame(), waiting.front().small);
        drop_oldest();
    }
    return true;
}

hub_shard::hub_shard(runtime::loop& of, const hub_options& how) : loop_(of), how_(how) {
    later_.of = this;
    later_.run = [](runtime::deferred& d) noexcept { static_cast<sending&>(d).of->send_due(); };
    rest_.run = [](runtime::posted_call& l) noexcept {
        const auto of = std::exchange(static_cast<continuation&>(l).of, nullptr);
        if (!of->ended_) of->send_due();
    };
    at_end_.of = this;
    at_end_.run = [](runtime::loop_end& e) noexcept { static_cast<ending&>(e).of->end(); };
    loop_.at_end(at_end_);
}

hub_shard::~hub_shard() = default;

void hub_shard::keep(const shared& message) {
    if (kept_[message.get()]++ == 0) loop_.memory().add(message->plain.capacity() + message->compressed.capacity());
}

void hub_shard::let_go(const shared& message) noexcept {
    const auto found = kept_.find(message.get());
    if (--found->second != 0) return;
    loop_.memory().remove(message->plain.capacity() + message->compressed.capacity());
    kept_.erase(found);
}

// Another thread that has read `ended_` as false may still post a call, so this function waits until no thread is in
// `post`.
void hub_shard::end() noexcept {
    if (ended_.exchange(true)) return;
    while (posting_.load() != 0) std::this_thread::yield();
    loop_.forget(later_);
    for (const auto& each : due_) drop_due(each->second);
    runtime::loop::take_out(at_end_);
}

void hub_shard::leave(member& m) noexcept {
    auto& members = m.in->members;
    const auto at = std::find(members.begin(), members.end(), &m);
    if (m.in->batch != 0) {
        *at = nullptr;
        return;
    }
    *at = members.back();
    members.pop_back();
    if (!members.empty() || !m.in->due.empty()) return;
    const auto same = [&m](const auto& entry) { return &entry.second == m.in; };
    if (const auto found = std::ranges::find_if(rooms_, same); found != rooms_.end()) rooms_.erase(found);
}

void hub_shard::send(std::string_view name, const shared& message) {
    const auto found = rooms_.find(name);
    if (found == rooms_.end()) return;
    room& to = found->second;
    if (to.due.empty()) due_.push_back(found);
    try {
        to.due.push_back(message);
    } catch (...) {
        if (to.due.empty()) due_.pop_back();
        throw;
    }
    to.due_bytes += message->plain.size();
    loop_.memory().add(message->plain.size());
    if (!rest_.of) loop_.later(later_);
}

// Returns whether a message of this size may wait for the core. A message of any size may wait alone.
bool hub_shard::reserve(std::size_t size) noexcept {
    const std::size_t limit = std::max(max_posted, how_.member_bytes);
    std::size_t before = posted_bytes_.load(std::memory_order_relaxed);
    while (before == 0 || before + size <= limit)
        if (posted_bytes_.compare_exchange_weak(before, before + size, std::memory_order_relaxed)) return true;
    return false;
}

void hub_shard::post(std::string_view name, const shared& message) {
    auto posted = std::make_unique<posted_message>();
    posted->to = shared_from_this();
    posted->room = name;
    posted->message = message;
    if (!reserve(posted->size())) {
        if (!note_missed(name)) return;
        posted->message = {};  // only closes the members
    }
    auto* posted_call = posted.release();
    posted_call->run = [](runtime::posted_call& l) noexcept {
        const std::unique_ptr<posted_message> own(&static_cast<posted_message&>(l));
        try {
            own->to->open(*own);
        } catch (...) {
            // This function has no caller that could handle the exception; the conversion logs it.
            (void)apus::detail::error_from_current_exception();
        }
    };
    posting_.fetch_add(1);
    if (ended_.load()) delete posted_call;
    else loop_.post(*posted_call);
    posting_.fetch_sub(1);
}

void hub_shard::open(posted_message& from) {
    if (from.message) posted_bytes_.fetch_sub(from.size(), std::memory_order_relaxed);
    if (ended_) return;
    if (missed_any_.load(std::memory_order_acquire)) close_missed();
    if (from.message) send(from.room, from.message);
}

// Returns whether no call that closes the members is queued.
bool hub_shard::note_missed(std::string_view room) {
    constexpr std::size_t max_rooms = 1024;
    const std::lock_guard hold(missed_lock_);
    if (missed_.size() < max_rooms) missed_.emplace(room);
    else missed_in_all_ = true;
    return !missed_any_.exchange(true, std::memory_order_release);
}

void hub_shard::close_missed() {
    std::set<std::string, std::less<>> names;
    bool all = false;
    {
        const std::lock_guard hold(missed_lock_);
        names.swap(missed_);
        all = std::exchange(missed_in_all_, false);
        missed_any_.store(false, std::memory_order_relaxed);
    }
    if (how_.slow != slow_member::close) return;
    for (const auto& [name, in] : rooms_)
        if (all || names.contains(name))
            for (member* m : in.members)
                if (m && m->of) m->of->close(1013, "this server was too slow for this room");
}

// Sends to the rooms round robin, so that small rooms do not wait for a large one.
void hub_shard::send_due() noexcept {
    share left{members_of_turn, bytes_of_turn};
    while (!due_.empty() && !left.spent()) {
        const auto at = due_.front();
        room& in = at->second;
        try {
            send_due(in, left);
        } catch (...) {
            (void)apus::detail::error_from_current_exception();
            drop_due(in);
        }
        if (!in.due.empty()) {
            due_.splice(due_.end(), due_, due_.begin());
            continue;
        }
        due_.pop_front();
        if (in.members.empty()) rooms_.erase(at);
    }
    if (!due_.empty()) send_rest_later();
}

void hub_shard::send_rest_later() {
    if (rest_.of) return;
    rest_.of = shared_from_this();
    loop_.post(rest_);
}

// Whether more bytes are queued behind the current batch than one member may have queued. If so, the core sends the
// whole batch in this event loop iteration. Meanwhile the core does not read from senders, so the queue stays bounded.
bool hub_shard::is_behind(const room& in) const noexcept { return in.due_bytes - in.batch_bytes > how_.member_bytes; }

void hub_shard::send_due(room& in, share& left) {
    while (!in.due.empty() && (!left.spent() || is_behind(in))) {
        if (in.batch == 0) in.begin_batch();
        give(in, left);
        if (in.next == in.end) end_batch(in);
    }
}

void room::begin_batch() noexcept {
    batch_bytes = due[0]->plain.size();
    for (batch = 1; batch < due.size() && batch_bytes + due[batch]->plain.size() <= max_batch_bytes; ++batch)
        batch_bytes += due[batch]->plain.size();
    next = 0;
    end = members.size();
}

std::size_t room::take_batch() {
    due.erase(due.begin(), due.begin() + static_cast<std::ptrdiff_t>(batch));
    std::erase(members, nullptr);
    due_bytes -= batch_bytes;
    batch = next = end = 0;
    return std::exchange(batch_bytes, 0);
}

void hub_shard::end_batch(room& in) { loop_.memory().remove(in.take_batch()); }

void hub_shard::drop_due(room& in) noexcept {
    in.batch = in.due.size();
    in.batch_bytes = in.due_bytes;
    end_batch(in);
}

// Returns the frames of a batch, written once to the arena for all members. `bits` is the window size for which they
// are compressed; 0: uncompressed.
std::string_view hub_shard::batch_bytes_of(std::span<const shared> messages, unsigned bits) {
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

void hub_shard::give(room& in, share& left) {
    const auto batch = std::span(in.due).first(in.batch);
    const std::size_t size = std::max<std::size_t>(in.batch_bytes, 1);
    std::size_t count = in.end - in.next;
    if (!is_behind(in)) count = std::min({count, left.members, std::max<std::size_t>(left.bytes / size, 1)});
    left.members -= std::min(left.members, count);
    left.bytes -= std::min(left.bytes, count * size);

    unsigned bits = 0, takers = 0;
    for (const auto& message : batch) bits = std::max(bits, message->bits);
    for (unsigned each = bits; bits != 0 && each <= 15; ++each) takers += compressing(each);
    const std::string_view plain = batch_bytes_of(batch, 0);
    const std::string_view small = takers ? batch_bytes_of(batch, bits) : std::string_view();
    for (const std::size_t last = in.next + count; in.next < last; ++in.next) {
        prefetch(std::span(in.members).subspan(in.next));
        member* m = in.members[in.next];
        if (m && m->of && m->of->is_open()) give(*m, batch, plain, small, bits);
    }
}

void hub_shard::give(member& m, std::span<const shared> batch, std::string_view plain, std::string_view small,
                     unsigned bits) {
    if (m.waiting_bytes != 0 || !m.of->can_write()) {
        for (std::size_t at = 0; at < batch.size() && m.of->is_open(); ++at) m.enqueue(batch[at], how_);
        return;
    }
    const bool compressed = bits != 0 && m.window_bits >= bits;
    m.of->put_batch(batch.size(), compressed ? small : plain, compressed);
}

}  // namespace apus::ws
