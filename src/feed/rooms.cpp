// SPDX-License-Identifier: Apache-2.0
#include "crypto/random.hpp"
#include "feed/parts.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

namespace apus {

feed_broker::~feed_broker() = default;

std::string feed_broker::node_of(std::string_view) const { return {}; }

namespace feeds {

std::uint64_t milliseconds_since_1970() noexcept {
    using namespace std::chrono;
    const auto now = system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace feeds

namespace detail {
namespace {

constexpr std::size_t node_size = 12;
constexpr std::size_t bytes_of_room = 512;  // an empty room, with its entries in lists and maps

}  // namespace

void feed_owner::keep(feed_parts* p) noexcept { p->keep(); }
void feed_owner::let_go(feed_parts* p) noexcept { p->let_go(); }

feed_parts::places::iterator feed_parts::find_or_make(const std::string& name) {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
    const std::uint64_t now = base::outage::clock_now();
    empty_places_.push_back({.of = std::make_shared<room>(name), .used = now, .heard = now});
    const auto made = std::prev(empty_places_.end());
    try {
        by_name_.emplace(made->of->name(), made);
    } catch (...) {
        empty_places_.pop_back();
        throw;
    }
    if (!broker_) made->of->begin_after({start_, number_});
    return made;
}

void feed_parts::add_event(places::iterator to, feed_event event, event_id id) {
    const std::uint64_t now = base::outage::clock_now();
    note_gain(to, to->of->add(std::move(event), id, how_));
    to->used = now;
    if (id) to->heard = now;
    if (to->counts) places_.splice(places_.end(), places_, to);
    remove_old(now);
}

void feed_parts::add_gap(places::iterator to, event_id last) { note_gain(to, to->of->add_gap(last, how_)); }

// The memory of a room counts while the room has events. A room without events has a reader, which needs more memory
// than the room, and belongs to a connection. So clients that choose the names of rooms cannot remove the events of
// other rooms by opening many.
void feed_parts::note_gain(places::iterator of, std::ptrdiff_t bytes) {
    bytes_ += static_cast<std::size_t>(bytes);
    if (of->counts || of->of->empty()) return;
    of->counts = true;
    bytes_ += bytes_of_room + of->of->name().size();
    places_.splice(places_.end(), empty_places_, of);
}

void feed_parts::clear(places::iterator of) {
    if (!std::exchange(of->counts, false)) return;
    bytes_ -= of->of->clear() + bytes_of_room + of->of->name().size();
    empty_places_.splice(empty_places_.end(), places_, of);
}

void feed_parts::erase(places::iterator at) {
    clear(at);
    by_name_.erase(at->of->name());
    empty_places_.erase(at);
}

// Removes events that are too old or too many. Looks at few rooms, so that no call takes long.
void feed_parts::remove_old(std::uint64_t now) {
    constexpr int most = 16;
    const auto keep = static_cast<std::uint64_t>(how_.keep.milliseconds());
    for (int i = 0; i < most && places_.size() > 1; ++i) {
        const auto oldest = places_.begin();
        if (bytes_ <= how_.total_bytes && now - oldest->used < keep) return;
        if (oldest->readers == 0) erase(oldest);
        else clear(oldest);
    }
}

std::shared_ptr<feeds::room> feed_parts::enter(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto found = find_or_make(name);
    ++found->readers;
    return found->of;
}

// The broker stores the events of rooms without readers.
void feed_parts::leave(const room& of) noexcept {
    const std::lock_guard lock(mutex_);
    const auto at = by_name_.find(of.name())->second;
    if (--at->readers == 0 && (broker_ || at->of->empty())) erase(at);
}

std::string feed_parts::publish_here(const std::string& name, feed_event event) {
    const std::lock_guard lock(mutex_);
    const auto to = find_or_make(name);
    const event_id id{start_, ++number_};
    std::string text = text_of(id);
    event.id = text;
    add_event(to, std::move(event), id);
    return text;
}

feed_parts::feed_parts(const feed_options& how, feed_broker* broker)
    : how_(how), broker_(broker), node_(crypto::random_bytes(node_size)), start_(feeds::milliseconds_since_1970()) {
    if (how.room_events == 0 || how.room_bytes < 1'024 || how.keep <= duration())
        throw std::invalid_argument("feed: room_events and keep must be positive, and room_bytes at least 1024");
    if (broker_) broker_->configure(how_);
}

}  // namespace detail
}  // namespace apus
