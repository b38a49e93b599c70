// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox.hpp"

#include "base/thread_order.hpp"
#include "sandbox/all_threads.hpp"
#include "sandbox/filter.hpp"

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <unistd.h>

namespace apus::sandbox {
namespace {

constexpr std::chrono::milliseconds longest_visit(2000);  // usually less than a millisecond
constexpr std::uint16_t port_of_names = 53;

using done = std::expected<void, std::string>;

done add_rules(landlock& to, const plan& p) {
    for (const auto& [name, how, optional] : p.paths) {
        if (optional) {
            to.allow_existing(name, how);
        } else if (auto added = to.allow(name, how); !added) {
            return added;
        }
    }
    for (const std::uint16_t port : p.ports)
        if (auto added = to.allow_connect(port); !added) return added;
    return p.ports.empty() ? done() : to.allow_connect(port_of_names);
}

done restrict_threads(const landlock& rules, const plan& p, confinement& result) {
    // ThreadSanitizer has a thread that must not run instrumented code, such as the signal handler.
    if (base::has_thread_sanitizer()) return {};
    const auto call = [](const void* of) noexcept { return static_cast<const landlock*>(of)->restrict_thread(); };
    const auto visited = on_all_threads(call, &rules, longest_visit);
    if (!visited.failure.empty()) return std::unexpected("sandbox: " + visited.failure);
    if (visited.error) return std::unexpected(std::string("sandbox: Landlock: ") + std::strerror(visited.error));
    for (const std::string& name : visited.blocked)
        result.missing.push_back("files of the thread `" + name + "`, which blocks all signals");
    if (p.complete && !visited.blocked.empty()) return std::unexpected("sandbox: missing: " + result.missing.back());
    return {};
}

done activate(const plan& p) {
    const filter_options options{.internet = !p.ports.empty(),
                                 .unix_streams = p.unix_streams,
                                 .programs = p.programs,
                                 .other_processes = p.other_processes || p.programs,
                                 .process = static_cast<std::uint32_t>(getpid())};
    const int error = activate_filter(make_filter(options));
    if (error < 0) return std::unexpected("sandbox: a thread has its own seccomp filter");
    if (error) return std::unexpected(std::string("sandbox: seccomp: ") + std::strerror(error));
    return {};
}

std::vector<std::string> missing_parts(int version, bool filters, const plan& p) {
    std::vector<std::string> all;
    if (version == 0) all.emplace_back("files (Landlock, Linux 5.13, is missing or disabled)");
    else if (version < 3) all.emplace_back("truncation of files (Linux 6.2)");
    if (base::has_thread_sanitizer()) all.emplace_back("files (the program is built with ThreadSanitizer)");
    // Without ports in the plan, the filter refuses all IP sockets, so Landlock is not needed for them.
    if (version < 4 && !(filters && p.ports.empty())) all.emplace_back("TCP ports (Linux 6.7)");
    if (!filters) all.emplace_back("system calls (seccomp is missing or disabled)");
    return all;
}

}  // namespace

prepared_sandbox::prepared_sandbox(plan p)
    : plan_(std::move(p)), result_{.landlock = landlock::version(), .filter = has_filters()} {
    result_.missing = missing_parts(result_.landlock, result_.filter, plan_);
    if (plan_.complete && !result_.missing.empty())
        throw std::runtime_error("sandbox: this kernel does not restrict " + result_.missing.front());
    if (result_.landlock == 0) return;
    rules_.emplace(result_.landlock);
    if (auto added = add_rules(*rules_, plan_); !added) throw std::runtime_error(added.error());
}

std::expected<confinement, std::string> prepared_sandbox::enter() {
    if (rules_)
        if (auto applied = restrict_threads(*rules_, plan_, result_); !applied) return std::unexpected(applied.error());
    if (result_.filter)
        if (auto active = activate(plan_); !active) return std::unexpected(active.error());
    return result_;
}

}  // namespace apus::sandbox
