// SPDX-License-Identifier: Apache-2.0
#include "server/task_report.hpp"

#include "server/json_part.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace apus::server {
namespace {

/// A listed task with its thread.
struct entry {
    const task_listing::thread* of;
    const listed_task* task;
};

/// A listed frame.
struct frame {
    std::string_view name, file;
    unsigned line;

    auto operator<=>(const frame&) const = default;
};

/// The tasks to list, and the number of tasks that are left out.
struct selection {
    std::vector<entry> listed;
    std::size_t suspended = 0;

    selection(const task_listing& all, std::size_t limit) {
        for (const auto& thread : all.threads) {
            if (!thread.tasks) continue;
            suspended += thread.tasks->suspended();
            for (const auto& task : thread.tasks->tasks()) listed.push_back({&thread, &task});
        }
        std::ranges::sort(listed, [](const entry& a, const entry& b) {
            return std::tuple(b.task->waited, a.of, a.task) < std::tuple(a.task->waited, b.of, b.task);
        });
        if (listed.size() > limit) listed.resize(limit);
    }
    std::size_t left_out() const noexcept { return suspended - listed.size(); }
};

// Coroutines of `apus::detail` convert values between the user's coroutines.
std::vector<frame> frames_of(const entry& e) {
    std::vector<frame> all;
    const auto frames = e.of->tasks->frames(*e.task);
    for (const auto& site : frames) {
        const std::string_view name = coroutine_name(site.function_name());
        if (name.starts_with("apus::detail::") && frames.size() > 1) continue;
        all.push_back({name, site.file_name(), site.line()});
    }
    return all;
}

std::string_view origin_of(const entry& e) { return e.task->origin ? e.task->origin : "unknown"; }

void add_request(json_part& to, std::string_view method, std::string_view route, std::string_view id) {
    if (method.empty()) return;
    json_part one(to.key("request"), '{');
    one.text("method", method);
    one.text("route", route);
    one.optional_text("id", id);
}

void add_thread(std::string& to, const task_listing::thread& t) {
    json_part one(to, '{');
    one.text("thread", t.name);
    one.boolean("responds", t.tasks != nullptr);
    if (t.tasks) one.number("suspended", t.tasks->suspended());
    else if (t.busy != 0) one.number("busy_ms", t.busy);
    add_request(one, t.method, t.route, t.id);
}

void add_task(std::string& to, const entry& e) {
    json_part one(to, '{');
    one.text("thread", e.of->name);
    one.text("origin", origin_of(e));
    add_request(one, e.task->method, e.task->route, e.task->id);
    one.number("waiting_ms", e.task->waited);
    {
        json_part stack(one.key("stack"), '[');
        for (const auto& f : frames_of(e)) {
            json_part place(stack.next(), '{');
            place.text("function", f.name);
            place.text("file", f.file);
            place.number("line", f.line);
        }
    }
    if (e.task->frames_left_out != 0) one.number("frames_left_out", e.task->frames_left_out);
}

// "812 ms", "3.4 s", "2 min 5 s", "3 h 12 min"
std::string time_text(std::uint64_t ms) {
    if (ms < 1000) return std::to_string(ms) + " ms";
    const std::uint64_t s = ms / 1000;
    if (s < 60) return std::to_string(s) + '.' + std::to_string(ms % 1000 / 100) + " s";
    if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
    return std::to_string(s / 3600) + " h " + std::to_string(s / 60 % 60) + " min";
}

std::string count_text(std::size_t count, std::string_view noun) {
    return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

std::string request_text(std::string_view method, std::string_view route) {
    return std::string(method) + ' ' + std::string(route.empty() ? "(no route)" : route);
}

/// Tasks that wait at the same place for the same route. The oldest task is the first.
struct group {
    std::size_t number;
    std::vector<frame> frames;
    std::vector<entry> tasks;
};

std::vector<group> groups_of(const std::vector<entry>& listed) {
    using key = std::tuple<std::string_view, std::string_view, std::string_view, std::size_t, std::vector<frame>>;
    std::vector<group> all;
    std::map<key, std::size_t> numbers;
    for (const auto& e : listed) {
        auto frames = frames_of(e);
        const auto [at, is_new] = numbers.try_emplace(
            key(origin_of(e), e.task->method, e.task->route, e.task->frames_left_out, frames), all.size());
        if (is_new) all.push_back({all.size(), std::move(frames), {}});
        all[at->second].tasks.push_back(e);
    }
    std::ranges::sort(all, [](const group& a, const group& b) {
        return std::tuple(b.tasks.size(), a.number) < std::tuple(a.tasks.size(), b.number);
    });
    return all;
}

void add_group(std::string& to, const group& g) {
    constexpr std::size_t most_ids = 3, widest = 60;
    const auto& oldest = *g.tasks.front().task;
    const auto& newest = *g.tasks.back().task;
    to += '\n' + count_text(g.tasks.size(), "task") + " of " + std::string(origin_of(g.tasks.front()));
    if (!oldest.method.empty()) to += ' ' + request_text(oldest.method, oldest.route);
    const std::string longest = time_text(oldest.waited), shortest = time_text(newest.waited);
    to += ", waiting for " + (shortest == longest ? longest : shortest + " to " + longest) + '\n';
    std::size_t width = 0;
    std::vector<std::string> places;
    for (const auto& f : g.frames) {
        places.push_back(std::string(f.file) + ':' + std::to_string(f.line));
        width = std::max(width, std::min(places.back().size(), widest));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        places[i].resize(std::max(width, places[i].size()), ' ');
        ((to += "  " + places[i] + "  ") += g.frames[i].name) += '\n';
    }
    if (oldest.frames_left_out != 0) to += "  " + count_text(oldest.frames_left_out, "more caller") + '\n';
    std::string ids;
    for (std::size_t i = 0, n = 0; i < g.tasks.size() && n < most_ids; ++i) {
        if (g.tasks[i].task->id.empty()) continue;
        ids += (n++ == 0 ? "" : ", ") + std::string(g.tasks[i].task->id);
    }
    if (!ids.empty()) to += "  request " + ids + '\n';
}

// Returns the text before the arguments that g++ 12 writes for a coroutine: "void f(f(int)::_Z1fi.Frame*)".
std::string_view before_frame_type(std::string_view function) noexcept {
    if (!function.ends_with(".Frame*)")) return function;
    int depth = 0;
    for (std::size_t at = function.size(); at-- > 0;) {
        if (function[at] == ')') ++depth;
        if (function[at] == '(' && --depth == 0) return function.substr(0, at);
    }
    return function;
}

}  // namespace

std::string_view coroutine_name(std::string_view function) noexcept {
    constexpr std::size_t longest = 200;
    std::string_view name = before_frame_type(function);
    name = name.substr(0, name.find(" [with "));
    if (name.ends_with(']')) name = name.substr(0, name.find(" ["));  // clang: "task<T> f(T) [T = int]"
    for (const std::string_view type : {"void ", "auto "})
        if (name.starts_with(type)) return name.substr(type.size(), longest);
    for (const std::string_view type : {"task<", "apus::task<"}) {
        if (!name.starts_with(type)) continue;
        int depth = 1;
        std::size_t at = type.size();
        for (; at < name.size() && depth > 0; ++at) depth += name[at] == '<' ? 1 : name[at] == '>' ? -1 : 0;
        if (at < name.size() && name[at] == ' ') return name.substr(at + 1, longest);
    }
    return name.substr(0, longest);
}

std::string tasks_as_json(const task_listing& all, std::size_t limit) {
    const selection chosen(all, limit);
    std::string made;
    {
        json_part report(made, '{');
        report.number("suspended", chosen.suspended);
        report.number("listed", chosen.listed.size());
        report.number("left_out", chosen.left_out());
        {
            json_part threads(report.key("threads"), '[');
            for (const auto& t : all.threads) add_thread(threads.next(), t);
        }
        json_part tasks(report.next() += "\n\"tasks\":", '[');
        for (const auto& e : chosen.listed) add_task(tasks.next() += '\n', e);
    }
    return made += '\n';
}

std::string tasks_as_text(const task_listing& all, std::size_t limit) {
    const selection chosen(all, limit);
    std::string made = count_text(chosen.suspended, "suspended task") + '\n';
    for (const auto& t : all.threads) {
        if (t.tasks) continue;
        made += t.name + " does not respond, and its tasks are not listed";
        if (t.busy != 0) made += ": busy for " + time_text(t.busy);
        if (!t.method.empty()) made += " with " + request_text(t.method, t.route);
        if (!t.id.empty()) made += ", request " + t.id;
        made += '\n';
    }
    if (chosen.left_out() != 0) made += "not listed: " + count_text(chosen.left_out(), "task") + '\n';
    for (const auto& g : groups_of(chosen.listed)) add_group(made, g);
    return made;
}

}  // namespace apus::server
