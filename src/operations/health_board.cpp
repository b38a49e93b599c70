// SPDX-License-Identifier: Apache-2.0
#include "operations/health_board.hpp"

#include "base/json_string.hpp"
#include "operations/exposition.hpp"
#include "runtime/loop.hpp"

#include <apus/log.hpp>

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>

namespace apus::operations {
namespace {

// The core cancels a check at its timeout. If the core has not answered after this additional time, the core is
// considered blocked.
constexpr std::uint64_t answer_time = 250;  // milliseconds

std::string_view state_name(process_state s) noexcept {
    switch (s) {
        case process_state::starting: return "starting";
        case process_state::serving: return "serving";
        case process_state::draining: break;
    }
    return "draining";
}

std::string milliseconds_text(std::uint64_t nanoseconds) {
    char digits[32];
    const std::uint64_t microseconds = nanoseconds / 1000;
    const double value = static_cast<double>(microseconds) / 1000;
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// Replaces line breaks and other control characters with spaces, so that a reason cannot add lines to a report.
std::string one_line(std::string_view text) {
    std::string line(text);
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return line;
}

}  // namespace

/// A probe that waits for results. The destructor removes it from the list.
struct health_board::waiter {
    health_board& of;
    std::coroutine_handle<> self = {};
    waiter* next = nullptr;
    waiter** at = nullptr;

    explicit waiter(health_board& board) noexcept : of(board) {}
    waiter(const waiter&) = delete;
    waiter& operator=(const waiter&) = delete;
    ~waiter() { leave(); }

    void leave() noexcept {
        if (!at) return;
        *at = next;
        if (next) next->at = at;
        at = nullptr;
    }
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> waiting) noexcept {
        self = waiting;
        next = of.first_;
        if (next) next->at = &next;
        at = &of.first_;
        of.first_ = this;
    }
    void await_resume() const noexcept {}
};

health_board::health_board(runner& with) noexcept : runner_(with) {
    timer_.of = this;
    timer_.fire = [](runtime::timer& t) noexcept { static_cast<expiry&>(t).of->expire(); };
}

health_board::~health_board() = default;

void health_board::add(std::string_view name, const check_options& options) {
    auto& made = checks_.emplace_back();
    made.name = name;
    made.options = options;
}

// Starts the check if its result is too old. Returns true if the check was started.
bool health_board::starts_needed(check& c) {
    const std::uint64_t now = runtime::loop::current().now();
    const auto max_age = static_cast<std::uint64_t>(std::max<std::int64_t>(c.options.max_age.milliseconds(), 0));
    if (c.running || (c.known && now - c.ended < max_age)) return false;
    c.running = true;
    c.overdue = false;
    c.started = now;
    ++c.runs;
    return true;
}

// A check that cannot be started has ended, so that a later probe starts it again.
void health_board::start(std::size_t number) noexcept {
    try {
        runner_.start_check(number);
    } catch (const std::exception& e) {
        const error why(503, std::string("the check cannot be started: ") + e.what());
        check_ended(number, &why, 0);
    }
}

// Whether a probe that arrived at `since` must wait. Ignores runs that other probes have started later, so that the
// wait ends.
bool health_board::waits_for(bool live, std::uint64_t since) const noexcept {
    return std::ranges::any_of(checks_, [&](const check& c) {
        return (!live || c.options.liveness) && c.running && !c.overdue && c.started <= since;
    });
}

task<web::process_report> health_board::report(bool live, web::report_format format) {
    // Checks run only while the process serves: in other states the result is already known, and cores that are ending
    // run no checks.
    if (state() == process_state::serving) {
        for (std::size_t i = 0; i < checks_.size(); ++i)
            if ((!live || checks_[i].options.liveness) && starts_needed(checks_[i])) start(i);
        watch_clock();
        const std::uint64_t since = runtime::loop::current().now();
        while (waits_for(live, since)) {
            waiter until(*this);
            co_await until;
        }
    }
    const auto fails = [&](const check& c) {
        return (!live || c.options.liveness) && c.options.required && !(c.known && c.passing);
    };
    std::string why;
    if (live) why = runner_.stalled();
    else if (state() != process_state::serving) why = state_name(state());
    const bool checked = live ? state() == process_state::serving : true;
    if (const auto bad = std::ranges::find_if(checks_, fails); why.empty() && checked && bad != checks_.end())
        why = bad->name;
    const bool good = why.empty();
    co_return web::process_report{
        good ? 200 : 503, std::make_shared<const std::string>(
                              format == web::report_format::json ? json(live, good, why) : text(live, good, why))};
}

void health_board::check_ended(std::size_t number, const error* why, std::uint64_t nanoseconds) {
    auto& c = checks_[number];
    c.running = c.overdue = false;
    c.nanoseconds = nanoseconds;
    settle(c, !why, why ? one_line(why->detail()) : std::string(), why ? why->cause() : std::string_view());
    resume_waiters();
}

void health_board::settle(check& c, bool passing, std::string reason, std::string_view cause) {
    const bool was_passing = c.passing || !c.known;
    if (!passing) ++c.failures;
    if (was_passing && !passing)
        log::warn("health check fails", {"check", c.name}, {"reason", reason},
                  cause.empty() ? log::field() : log::field("cause", cause));
    if (!was_passing && passing) log::info("health check passes again", {"check", c.name});
    c.known = true;
    c.passing = passing;
    c.reason = std::move(reason);
    c.ended = runtime::loop::current().now();
}

// Called at the earliest time at which a run may be overdue.
void health_board::expire() {
    const std::uint64_t now = runtime::loop::current().now();
    for (auto& c : checks_) {
        const std::uint64_t due =
            c.started + static_cast<std::uint64_t>(c.options.timeout.milliseconds()) + answer_time;
        if (!c.running || c.overdue || now < due) continue;
        c.overdue = true;
        c.nanoseconds = (now - c.started) * 1'000'000;
        settle(c, false, "timeout: the core that runs the check does not answer", {});
    }
    watch_clock();
    resume_waiters();
}

void health_board::watch_clock() {
    auto& timers = runtime::loop::current().timers();
    std::uint64_t first = 0;
    for (const auto& c : checks_) {
        if (!c.running || c.overdue) continue;
        const std::uint64_t due =
            c.started + static_cast<std::uint64_t>(c.options.timeout.milliseconds()) + answer_time;
        if (!first || due < first) first = due;
    }
    timers.remove(timer_);
    if (first) timers.add(timer_, first);
}

// A resumed probe may start checks and wait again, so the list is taken first.
void health_board::resume_waiters() noexcept {
    waiter* all = std::exchange(first_, nullptr);
    if (all) all->at = &all;
    while (all) {
        waiter& each = *all;
        each.leave();
        each.self.resume();
    }
}

std::string health_board::text(bool live, bool good, const std::string& why) const {
    std::string made = live   ? good ? "live\n" : "not live: " + one_line(why) + '\n'
                       : good ? "ready\n"
                              : "not ready: " + one_line(why) + '\n';
    for (const auto& c : checks_) {
        if (live && !c.options.liveness) continue;
        made += c.name + (!c.known ? " unknown" : c.passing ? " passing" : " failing");
        if (c.known) made += ' ' + milliseconds_text(c.nanoseconds) + " ms";
        if (!c.reason.empty()) made += ": " + c.reason;
        made += '\n';
    }
    return made;
}

std::string health_board::json(bool live, bool good, const std::string& why) const {
    const std::uint64_t now = runtime::loop::current().now();
    std::string made = R"({"status":)";
    made += live ? good ? R"("live")" : R"("stalled")" : good ? R"("ready")" : R"("unready")";
    (made += R"(,"state":")") += state_name(state());
    made += '"';
    if (!why.empty()) base::append_json_string(made += R"(,"reason":)", why);
    made += R"(,"checks":[)";
    bool first = true;
    for (const auto& c : checks_) {
        if (live && !c.options.liveness) continue;
        made += std::exchange(first, false) ? R"({"name":")" : R"(,{"name":")";
        made += c.name + R"(","status":")" +
                (!c.known    ? "unknown"
                 : c.passing ? "passing"
                             : "failing") +
                R"(","required":)" + (c.options.required ? "true" : "false");
        if (c.known)
            made += R"(,"duration_ms":)" + milliseconds_text(c.nanoseconds) + R"(,"age_ms":)" +
                    std::to_string(now - c.ended);
        if (!c.reason.empty()) base::append_json_string(made += R"(,"reason":)", c.reason);
        made += '}';
    }
    return made += "]}\n";
}

void health_board::describe(exposition& to) const {
    to.family("apus_ready", metric_type::gauge, "1 while the process accepts new work. Health checks do not count.");
    to.sample({}, state() == process_state::serving ? 1.0 : 0.0);
    if (checks_.empty()) return;
    const auto each = [&](std::string_view name, metric_type type, std::string_view help, auto value) {
        to.family(name, type, help);
        for (const auto& c : checks_) {
            const sample_label label{"check", c.name};
            if (c.known) to.sample({&label, 1}, value(c));
        }
    };
    each("apus_health_check_passing", metric_type::gauge, "1 if the last run of the check passed.",
         [](const check& c) { return c.passing ? 1.0 : 0.0; });
    each("apus_health_check_duration_seconds", metric_type::gauge, "Duration of the check's last run.",
         [](const check& c) { return static_cast<double>(c.nanoseconds) / 1e9; });
    each("apus_health_check_failures_total", metric_type::counter, "Failed runs of the check.",
         [](const check& c) { return c.failures; });
}

}  // namespace apus::operations
