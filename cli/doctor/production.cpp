// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "cli/doctor/examine.hpp"

namespace apus::cli::doctor {
namespace {

constexpr mark marks[] = {
    {"backlog", "net.core.somaxconn", 4096, "after a restart all clients come back at once"},
    {"backlog", "net.ipv4.tcp_max_syn_backlog", 4096, "connections that are being made wait there"},
    {"open files", "fs.file-max", 1048576, "all processes together may have no more"},
    {"connection tracking", "net.netfilter.nf_conntrack_max", 262144, "a firewall drops new connections beyond that"},
};

void examine_huge_pages(const machine& on, findings& to) {
    const auto enabled = on.text("sys/kernel/mm/transparent_hugepage/enabled");
    if (!enabled) return;
    if (enabled->contains("[always]")) {
        to.push_back({.about = "huge pages",
                      .is = state::worth_mending,
                      .says = "always used: memory that is free inside of a server does not go back, and compaction "
                              "stops it now and then",
                      .mend = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
                      .keep = "transparent_hugepage=madvise in the kernel's command line"});
    } else to.push_back({.about = "huge pages", .says = "only where a program asks for them"});
}

void examine_core_files(const machine& on, findings& to) {
    const auto pattern = on.text("proc/sys/kernel/core_pattern");
    if (!pattern) return;
    const bool kept = pattern->starts_with('|') || pattern->starts_with('/');
    if (kept) to.push_back({.about = "core files", .says = *pattern});
    else
        to.push_back(of_package(
            "core files", state::worth_mending,
            "written to the folder where a service runs, which it mostly may not write: a crash leaves no trace",
            "systemd-coredump"));
}

std::string unit_of(const machine& on, std::string_view service) {
    for (std::string_view folder : {"etc/systemd/system/", "usr/lib/systemd/system/", "lib/systemd/system/"}) {
        if (const auto text = on.text(std::string(folder) + std::string(service) + ".service"))
            return "\n" + *text + "\n";
    }
    return "";
}

// The value behind "\nNAME=", or "".
std::string value_in(const std::string& unit, std::string_view name) {
    const std::size_t at = unit.rfind("\n" + std::string(name) + "=");
    if (at == unit.npos) return "";
    const std::size_t begin = at + name.size() + 2;
    return unit.substr(begin, unit.find('\n', begin) - begin);
}

void examine_unit(const machine& on, findings& to, std::string_view service) {
    if (!on.has("run/systemd/system")) {
        to.push_back(
            {.about = "systemd",
             .is = state::worth_mending,
             .says = "does not run here: something else has to start the service again, and to give it its limits",
             .mend = "apt-get install -y systemd-sysv"});
    } else to.push_back({.about = "systemd", .says = "runs"});
    if (service.empty()) return;
    const std::string unit = unit_of(on, service), name = std::string(service) + ".service";
    const std::string edit = "systemctl edit " + name;
    if (unit.empty()) {
        to.push_back({.about = "service",
                      .is = state::worth_mending,
                      .says = "there is no unit " + name,
                      .mend = "apus package deb && apt-get install ./dist/" + std::string(service) + "_*.deb"});
        return;
    }
    to.push_back({.about = "service", .says = name});
    const std::string files = value_in(unit, "LimitNOFILE");
    const bool enough =
        files == "infinity" ||
        (!files.empty() && std::strtoull(files.substr(files.find(':') + 1).c_str(), nullptr, 10) >= 65536);
    if (!enough)
        to.push_back({.about = "descriptors",
                      .is = state::worth_mending,
                      .says = name + (files.empty() ? " does not set LimitNOFILE" : " has LimitNOFILE=" + files) +
                              ", and each connection takes one",
                      .mend = edit,
                      .keep = "[Service] LimitNOFILE=1048576"});
    else to.push_back({.about = "descriptors", .says = "LimitNOFILE=" + files});
    if (value_in(unit, "Restart").empty())
        to.push_back({.about = "service",
                      .is = state::worth_mending,
                      .says = name + " does not start again after a crash",
                      .mend = edit,
                      .keep = "[Service] Restart=on-failure"});
}

void examine_low_ports(const machine& on, findings& to, std::string_view service) {
    const auto first = on.setting("net.ipv4.ip_unprivileged_port_start");
    if (!first || *first <= 80) return;
    if (!service.empty() && unit_of(on, service).contains("CAP_NET_BIND_SERVICE")) {
        to.push_back({.about = "ports 80 and 443", .says = "the unit may listen there"});
        return;
    }
    to.push_back(of_setting("ports 80 and 443",
                            "only root may listen below " + std::to_string(*first) +
                                "; a unit may with AmbientCapabilities=CAP_NET_BIND_SERVICE",
                            "net.ipv4.ip_unprivileged_port_start", "80"));
    to.back().safe = false;  // it is for all users of the host, so someone has to want it
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
            made.push_back(
                {.about = "descriptors",
                 .is = state::worth_mending,
                 .says = "a process may have " + std::to_string(limit->hard) + ", and each connection takes one",
                 .mend = "ulimit -Hn 1048576",
                 .keep = "LimitNOFILE=1048576 in the unit of the service"});
        else made.push_back({.about = "descriptors", .says = std::to_string(limit->hard) + " for a process"});
    }
    for (const mark& each : marks) examine_mark(on, made, each);
    examine_huge_pages(on, made);
    examine_core_files(on, made);
    examine_unit(on, made, service);
    examine_low_ports(on, made, service);
    findings around;
    examine_surroundings(on, around);
    for (finding& each : around) {
        if (each.about != "locale") made.push_back(std::move(each));
    }
    return made;
}

}  // namespace apus::cli::doctor
