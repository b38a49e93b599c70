// SPDX-License-Identifier: Apache-2.0
#include "http/request_history.hpp"

#include "http/core.hpp"
#include "http/served_exchange.hpp"
#include "tracing/trace.hpp"

#include <algorithm>
#include <exception>
#include <new>

namespace apus::http {
namespace {

ended_request describe(core& of, served_exchange& x, int status, std::uint64_t took) {
    ended_request made;
    made.start = tracing::recorder::now() - took;
    made.took = took;
    made.status = static_cast<std::uint16_t>(status);
    made.method = base::short_text<18>(x.text(x.head.verb_text));
    made.path = base::short_text<158>(of.path_in_logs(x));
    made.id = base::short_text<62>(x.given_id());
    if (of.log_access) {
        if (x.address.empty()) x.via->find_address(x);
        made.address = base::short_text<46>(x.address);
    }
    if (x.trace) {
        made.trace = x.trace->id();
        made.traced = true;
    }
    return made;
}

}  // namespace

request_history::~request_history() {
    for (auto& list : slots_)
        for (slot& each : list) delete each.spans.load(std::memory_order_relaxed);
}

unsigned request_history::place(list in, std::uint64_t took, std::uint64_t now) noexcept {
    auto& slots = slots_[static_cast<unsigned>(in)];
    const auto index = [&](const slot& of) { return static_cast<unsigned>(&of - slots.data()); };
    const auto first = std::ranges::min_element(slots, {}, &slot::ended);  // unused, or the oldest
    if (in != list::slowest) return !first->ended || first->ended + least_pause <= now ? index(*first) : none;
    if (took <= least_ && now < valid_until_) return none;
    if (!first->ended || first->ended + window <= now) return index(*first);
    const auto fastest = std::ranges::min_element(slots, {}, &slot::took);
    least_ = fastest->took;
    valid_until_ = first->ended + window;
    return took > fastest->took ? index(*fastest) : none;
}

void request_history::put(list in, unsigned place, std::uint64_t now, ended_request request,
                          const tracing::ended_spans* spans) noexcept {
    slot& to = slots_[static_cast<unsigned>(in)][place];
    request.number = ++numbers_;
    to.took = request.took;
    to.ended = std::max<std::uint64_t>(now, 1);
    to.request.write(request);
    if (!spans) return;
    auto* stored = to.spans.load(std::memory_order_relaxed);
    if (!stored) {
        stored = new (std::nothrow) base::published<tracing::ended_spans>;
        if (!stored) return;
        to.spans.store(stored, std::memory_order_release);
    }
    tracing::ended_spans numbered = *spans;
    numbered.number = request.number;
    stored->write(numbered);
}

lazy_history::~lazy_history() { delete history_.load(std::memory_order_relaxed); }

request_history* lazy_history::make() noexcept {
    request_history* known = history_.load(std::memory_order_relaxed);
    if (known) return known;
    known = new (std::nothrow) request_history;
    history_.store(known, std::memory_order_release);
    return known;
}

void keep_ended(core& of, served_exchange& x, int status, bool slow, lazy_history& in) noexcept {
    using list = request_history::list;
    request_history* const to = in.make();
    if (!to) return;
    const std::uint64_t now = of.loop.io().clock().nanoseconds() / 1'000'000;
    // Reading the clock costs more than the rest of this function for a request that is not kept.
    const auto duration = [&] {
        const std::uint64_t end = core::nanoseconds();
        return x.started && end > x.started ? end - x.started : 0;
    };
    const auto keep = [&](list which, unsigned place, std::uint64_t took) {
        try {
            to->put(which, place, now, describe(of, x, status, took), x.trace ? x.trace->ended_spans() : nullptr);
        } catch (const std::exception&) {
            return;  // out of memory for the client's address
        }
    };
    if (status >= 400) {
        const list which = status >= 500 ? list::failed : list::rejected;
        if (const unsigned place = to->place(which, 0, now); place != request_history::none)
            keep(which, place, duration());
    }
    if (!slow) return;
    const std::uint64_t took = duration();
    if (const unsigned place = to->place(list::slowest, took, now); place != request_history::none)
        keep(list::slowest, place, took);
}

}  // namespace apus::http
