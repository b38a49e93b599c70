// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>
#include <string>

#include "cli/doctor/examine.hpp"

namespace apus::cli::doctor {
namespace {

constexpr std::uint64_t megabyte = 1 << 20, gigabyte = 1 << 30;

void examine_ports(const machine& on, findings& to) {
    const auto range = on.text("proc/sys/net/ipv4/ip_local_port_range");
    if (!range) return;
    std::istringstream words(*range);
    long first = 0, last = 0;
    if (!(words >> first >> last)) return;
    const long count = last - first + 1;
    const std::string says = std::to_string(count) + " for outgoing connections";
    if (count < 16384)
        to.push_back(of_setting("ports", says + ", each unavailable for a minute after use (TIME_WAIT)",
                                "net.ipv4.ip_local_port_range", "\"32768 60999\""));
    else to.push_back({.about = "ports", .says = says});
    if (count < 16384) to.back().safe = false;  // `--fix` cannot pass a value that contains a space
}

void examine_disk(const machine& on, findings& to) {
    const std::string says = std::to_string(on.free_bytes / megabyte) + " MB free";
    if (on.free_bytes < 256 * megabyte)
        to.push_back({.about = "disk",
                      .is = state::broken,
                      .says = says + ", which is too little for a build",
                      .fix = "apus "
                             "clean"});
    else if (on.free_bytes < 2 * gigabyte)
        to.push_back({.about = "disk", .is = state::warning, .says = says, .fix = "apus clean"});
    else to.push_back({.about = "disk", .says = std::to_string(on.free_bytes / gigabyte) + " GB free"});
}

void examine_memory(const machine& on, findings& to) {
    const auto text = on.text("proc/meminfo");
    const std::size_t at = text ? text->find("MemAvailable:") : std::string::npos;
    if (at == std::string::npos) return;
    const std::uint64_t free = std::strtoull(text->c_str() + at + 13, nullptr, 10) * 1024;
    const std::string says = std::to_string(free / megabyte) + " MB available";
    if (free < gigabyte)
        to.push_back({.about = "memory",
                      .is = state::warning,
                      .says = says + "; a compiler process uses up to 1 GB",
                      .fix = "ninja -C build -j1"});
    else to.push_back({.about = "memory", .says = std::to_string(free / gigabyte) + " GB available"});
}

bool is_utf8(std::string locale) {
    std::ranges::transform(locale, locale.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.contains("utf-8") || locale.contains("utf8");
}

}  // namespace

void examine_environment(const machine& on, findings& to) {
    examine_ports(on, to);
    examine_disk(on, to);
    examine_memory(on, to);
    if (!on.running) return;
    if (on.running->clock_synchronized) to.push_back({.about = "clock", .says = "synchronized"});
    else
        to.push_back(of_package("clock", state::warning,
                                "not synchronized; certificates, tokens and cookies depend on the time",
                                "systemd-timesyncd"));
    if (is_utf8(on.running->locale)) to.push_back({.about = "locale", .says = on.running->locale});
    else
        to.push_back({.about = "locale",
                      .is = state::warning,
                      .says = (on.running->locale.empty() ? "none" : on.running->locale) +
                              ", which is not UTF-8: names and messages may be garbled",
                      .fix = "export LANG=C.UTF-8",
                      .persist = "update-locale LANG=C.UTF-8"});
}

findings examine(const machine& on) {
    findings made;
    examine_tools(on, made);
    examine_kernel(on, made);
    examine_environment(on, made);
    return made;
}

}  // namespace apus::cli::doctor
