// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "cli/doctor/examine.hpp"

namespace apus::cli::doctor {
namespace {

constexpr mark marks[] = {
    {"backlog", "net.core.somaxconn", 4096, "after a restart, all clients reconnect at the same time"},
    {"backlog", "net.ipv4.tcp_max_syn_backlog", 4096, "the maximum number of unfinished TCP handshakes"},
    {"open files", "fs.file-max", 1048576, "the maximum for all processes together"},
    {"connection tracking", "net.netfilter.nf_conntrack_max", 262144,
     "the firewall drops new connections beyond this number"},
};

void examine_huge_pages(const machine& on, findings& to) {
    const auto enabled = on.text("sys/kernel/mm/transparent_hugepage/enabled");
    if (!enabled) return;
    if (enabled->contains("[always]")) {
        to.push_back({.about = "huge pages",
                      .is = state::warning,
                      .says = "always on: servers do not return free memory, and compaction "
                              "causes latency spikes",
                      .fix = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                      .persist = "add transparent_hugepage=madvise to the kernel command line"});
    } else to.push_back({.about = "huge pages", .says = "only on request (madvise)"});
}

void examine_core_files(const machine& on, findings& to) {
    const auto pattern = on.text("proc/sys/kernel/core_pattern");
    if (!pattern) return;
    const bool kept = pattern->starts_with('|') || pattern->starts_with('/');
    if (kept) to.push_back({.about = "core files", .says = *pattern});
    else
        to.push_back(of_package(
            "core files", state::warning,
            "written to the working directory of the service, which is usually not writable: crashes leave no core "
            "file",
            "systemd-coredump"));
}

std::string unit_of(const machine& on, std::string_view service) {
    for (std::string_view folder : {"etc/systemd/system/", "usr/lib/systemd/system/", "lib/systemd/system/"}) {
        if (const auto text = on.text(std::string(folder) + std::string(service) + ".service"))
            return "\n" + *text + "\n";
    }
    return "";
}

// Returns the value after "\nNAME="; empty if absent.
std::string value_in(const std::string& unit, std::string_view name) {
    const std::size_t at = unit.rfind("\n" + std::string(name) + "=");
    if (at == unit.npos) return "";
    const std::size_t begin = at + name.size() + 2;
    return unit.substr(begin, unit.find('\n', begin) - begin);
}

void examine_unit(const machine& on, findings& to, std::string_view service) {
    if (!on.has("run/systemd/system")) {
        to.push_back({.about = "systemd",
                      .is = state::warning,
                      .says = "not running: the service needs another supervisor, which restarts it and sets limits",
                      .fix = "apt-get install -y systemd-sysv"});
    } else to.push_back({.about = "systemd", .says = "running"});
    if (service.empty()) return;
    const std::string unit = unit_of(on, service), name = std::string(service) + ".service";
    const std::string edit = "systemctl edit " + name;
    if (unit.empty()) {
        to.push_back({.about = "service",
                      .is = state::warning,
                      .says = "missing unit " + name,
                      .fix = "apus package deb && apt-get install ./dist/" + std::string(service) + "_*.deb"});
        return;
    }
    to.push_back({.about = "service", .says = name});
    const std::string files = value_in(unit, "LimitNOFILE");
    const bool enough =
        files == "infinity" ||
        (!files.empty() && std::strtoull(files.substr(files.find(':') + 1).c_str(), nullptr, 10) >= 65536);
    if (!enough)
        to.push_back({.about = "descriptors",
                      .is = state::warning,
                      .says = name + (files.empty() ? " does not set LimitNOFILE" : " has LimitNOFILE=" + files) +
                              ", and each connection uses one",
                      .fix = edit,
                      .persist = "[Service] LimitNOFILE=1048576"});
    else to.push_back({.about = "descriptors", .says = "LimitNOFILE=" + files});
    if (value_in(unit, "Restart").empty())
        to.push_back({.about = "service",
                      .is = state::warning,
                      .says = name + " is not restarted after a crash",
                      .fix = edit,
                      .persist = "[Service] Restart=on-failure"});
}

void examine_low_ports(const machine& on, findings& to, std::string_view service) {
    const auto first = on.setting("net.ipv4.ip_unprivileged_port_start");
    if (!first || *first <= 80) return;
    if (!service.empty() && unit_of(on, service).contains("CAP_NET_BIND_SERVICE")) {
        to.push_back({.about = "ports 80 and 443", .says = "the unit may listen on these ports"});
        return;
    }
    to.push_back(of_setting("ports 80 and 443",
                            "only root may listen on ports below " + std::to_string(*first) +
                                "; a systemd unit needs AmbientCapabilities=CAP_NET_BIND_SERVICE",
                            "net.ipv4.ip_unprivileged_port_start", "80"));
    to.back().safe = false;  // the fix affects all users of the host, so the operator must decide
}

}  // namespace

findings examine_production(const machine& on, std::string_view service) {
    findings made;
    findings kernel;
    examine_kernel(on, kernel);
    for (finding& each : kernel) {
        if (each.about == "kernel" || each.about == "io_uring") made.push_back(std::move(each));
    }
    if (const auto limit = on.limit_of("Max open files"); limit && service.empty()) {
        if (limit->hard < 65536)
            made.push_back({.about = "descriptors",
                            .is = state::warning,
                            .says = "limited to " + std::to_string(limit->hard) + ", and each connection uses one",
                            .fix = "ulimit -Hn 1048576",
                            .persist = "LimitNOFILE=1048576 in the unit of the service"});
        else made.push_back({.about = "descriptors", .says = std::to_string(limit->hard) + " per process"});
    }
    for (const mark& each : marks) examine_mark(on, made, each);
    examine_huge_pages(on, made);
    examine_core_files(on, made);
    examine_unit(on, made, service);
    examine_low_ports(on, made, service);
    findings around;
    examine_environment(on, around);
    for (finding& each : around) {
        if (each.about != "locale") made.push_back(std::move(each));
    }
    return made;
}

}  // namespace apus::cli::doctor
