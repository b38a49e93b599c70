// SPDX-License-Identifier: Apache-2.0
#include "server/request_board.hpp"

#include "runtime/activity.hpp"
#include "runtime/timed_wait.hpp"
#include "server/request_summary.hpp"
#include "server/watchdog.hpp"
#include "tracing/recorder.hpp"

#include <algorithm>
#include <exception>

namespace apus::server {
namespace {

using list = http::request_history::list;

void read_lists(const http::lazy_history& from, std::uint64_t now, request_report::lists& to) {
    const auto* const history = from.get();
    if (!history) return;
    for (unsigned i = 0; i < to.size(); ++i)
        history->read(static_cast<list>(i), [&](const auto& request, const tracing::ended_spans* spans) {
            constexpr std::uint64_t window = http::request_history::window * 1'000'000;
            if (static_cast<list>(i) == list::slowest && request.start + request.took + window < now) return;
            auto kept = spans ? std::make_unique<tracing::ended_spans>(*spans) : nullptr;
            if (kept)
                std::ranges::sort(kept->spans.begin(), kept->spans.begin() + kept->count, {},
                                  &tracing::ended_span::start);
            to[i].push_back({request, std::move(kept)});
        });
}

// Sorts the requests of several cores, and keeps as many as one core keeps.
void shorten(request_report::lists& of) {
    for (unsigned i = 0; i < of.size(); ++i) {
        const bool by_duration = static_cast<list>(i) == list::slowest;
        std::ranges::sort(of[i], [&](const auto& a, const auto& b) {
            return by_duration ? a.request.took > b.request.took : a.request.start > b.request.start;
        });
        if (of[i].size() > http::request_history::kept) of[i].resize(http::request_history::kept);
    }
}

}  // namespace

/// A request for a core's list.
/// The administration posts the object to the core, which posts it back.
struct request_board::question : runtime::posted_call {
    request_board* by;
    core_thread* of;
    runtime::loop* asker;
    unsigned number;
    std::vector<http::in_flight_request> found;

    static void arrived(runtime::posted_call& l) noexcept {
        std::unique_ptr<question> mine(&static_cast<question&>(l));
        auto* const core = mine->of->http_core();
        if (!core) return;  // the core has ended, and has no requests
        try {
            mine->found = http::describe_in_flight(*core, most_in_flight);
        } catch (const std::exception&) {
            mine->found.clear();  // out of memory
        }
        mine->run = [](runtime::posted_call& back) noexcept {
            const std::unique_ptr<question> answer(&static_cast<question&>(back));
            answer->by->answered(answer->number, std::move(answer->found));
        };
        runtime::loop& to = *mine->asker;
        to.post(*mine.release());
    }
};

/// Waits until all cores have answered, at most for `answer_time`.
struct request_board::wait : runtime::timed_wait {
    request_board& of;
    wait* next = nullptr;
    wait** at = nullptr;

    explicit wait(request_board& board)
        : timed_wait(runtime::loop::current(), [](timer& t) noexcept { static_cast<wait&>(t).end(); }), of(board) {}
    ~wait() { leave(); }

    void await_suspend(std::coroutine_handle<> waiter) noexcept {
        begin_wait(waiter);
        next = of.first_;
        if (next) next->at = &next;
        at = &of.first_;
        of.first_ = this;
        on().timers().add(*this, on().now() + answer_time);
    }
    void end() noexcept {
        leave();
        end_wait();
    }
    void leave() noexcept {
        if (!at) return;
        *at = next;
        if (next) next->at = at;
        at = nullptr;
    }
};

request_board::~request_board() = default;

void request_board::ask() {
    const std::uint64_t now = runtime::loop::current().now();
    if (cores_.empty()) cores_.resize(served_.cores.size());
    for (unsigned i = 0; i < cores_.size(); ++i) {
        known_core& core = cores_[i];
        if (served_.cores[i]->now() != core_thread::state::ready) {
            core = {};  // it has no requests any more, and may not answer
            continue;
        }
        if (core.asked || (core.answered_at && now < core.answered_at + max_age)) continue;
        auto made = std::make_unique<question>();
        made->run = question::arrived;
        made->by = this;
        made->of = served_.cores[i].get();
        made->asker = &runtime::loop::current();
        made->number = i;
        core.asked = true;
        served_.cores[i]->loop().post(*made.release());
    }
}

bool request_board::all_answered() const noexcept { return std::ranges::none_of(cores_, &known_core::asked); }

void request_board::answered(unsigned number, std::vector<http::in_flight_request> found) noexcept {
    cores_[number].asked = false;
    cores_[number].answered_at =
        runtime::loop::exists() ? std::max<std::uint64_t>(runtime::loop::current().now(), 1) : 0;
    cores_[number].in_flight = std::move(found);
    while (first_ && all_answered()) first_->end();
}

task<std::string> request_board::report(bool json) {
    ask();
    if (!all_answered()) {
        wait for_answers(*this);
        co_await for_answers;
    }
    const std::uint64_t now = runtime::loop::current().now();
    if (!rendered_at_[json] || now >= rendered_at_[json] + max_age) {
        const auto made = collect();
        rendered_[json] = json ? write_json(made) : write_text(made);
        rendered_at_[json] = now;
    }
    co_return rendered_[json];
}

request_report request_board::collect() const {
    request_report made;
    made.time = tracing::recorder::now();
    std::uint64_t ended = 0, closed = 0;
    for (unsigned i = 0; i < cores_.size(); ++i) {
        add_core(made, i);
        served_.cores[i]->inspect([&](const web::application& app, const http::core& c) {
            // The ends are read first, so that the difference is not negative.
            ended += c.counts.requests_ended;
            closed += c.counts.upgrades_ended;
            made.in_flight += c.counts.requests;
            made.tunnels += c.counts.upgrades;
            const auto read = [&](const http::lazy_history& from, std::string route, std::string method) {
                if (!from.get()) return;
                auto& lists = made.routes[{std::move(route), std::move(method)}];
                read_lists(from, made.time, lists);
                shorten(lists);
            };
            for (const auto& route : app.measured_routes())
                read(route.counters->history, *route.text, std::string(web::method_name(route.verb)));
            read(c.counts.unmatched.history, "unmatched", "other");
        });
    }
    made.in_flight -= std::min(made.in_flight, ended);
    made.tunnels -= std::min(made.tunnels, closed);
    return made;
}

void request_board::add_core(request_report& to, unsigned number) const {
    core_thread& thread = *served_.cores[number];
    auto& made = to.cores.emplace_back();
    made.answered = !cores_[number].asked;
    made.busy = thread.doing().busy_time(watchdog::clock());
    if (made.answered) {
        made.in_flight = cores_[number].in_flight;
        return;
    }
    const runtime::inspection look(thread.doing());
    const auto* const x = static_cast<const http::exchange*>(look.request());
    if (!x || !x->via) return;  // a job has an exchange without a connection
    const auto running = request_summary::of(x);
    auto& blocking = made.in_flight.emplace_back();
    blocking.method = running.method;
    blocking.route = running.route;
    if (x->plan && x->plan->in_logs != http::logged::route) blocking.path = x->text(x->head.path);
    blocking.id = running.id;
    blocking.age = made.busy * 1'000'000;
    blocking.state = "blocking";
}

}  // namespace apus::server
