// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstring>
#include <string>

#include "cli/doctor/examine.hpp"

namespace apus::cli::doctor {
namespace {

void examine_release(const machine& on, findings& to) {
    const auto release = on.text("proc/sys/kernel/osrelease");
    if (!release) return;
    const std::string version = version_in(*release);
    if (!at_least(version, "5.15"))
        to.push_back({.about = "kernel",
                      .is = state::broken,
                      .says = *release + "; Apus requires 5.15 or newer",
                      .fix = "apt-get install -y linux-image-amd64"});
    else if (!at_least(version, "6.1"))
        to.push_back({.about = "kernel",
                      .is = state::warning,
                      .says = *release + "; io_uring requires 6.1, so epoll is used",
                      .fix = "apt-get install -y linux-image-amd64"});
    else to.push_back({.about = "kernel", .says = *release});
}

bool is_filtered(const machine& on) {
    const auto status = on.text("proc/self/status");
    return status && (status->contains("\nSeccomp:\t2") || status->contains("\nSeccomp: 2"));
}

finding forbidden(const machine& on) {
    const auto disabled = on.setting("kernel.io_uring_disabled").value_or(0);
    if (disabled) {
        return of_setting("io_uring",
                          "kernel.io_uring_disabled is " + std::to_string(disabled) +
                              ", which disables io_uring; epoll is used, at a higher CPU cost",
                          "kernel.io_uring_disabled", "0");
    }
    if (is_filtered(on)) {
        return {.about = "io_uring",
                .is = state::warning,
                .says = "blocked by a seccomp filter, as in containers; epoll is used, at a higher CPU cost",
                .fix = "docker run --security-opt seccomp=unconfined IMAGE"};
    }
    return {.about = "io_uring",
            .is = state::warning,
            .says = "blocked by a security module; epoll is used, at a higher CPU cost",
            .fix = "journalctl -k --grep io_uring"};
}

void examine_uring(const machine& on, findings& to) {
    if (!on.running) {
        if (on.setting("kernel.io_uring_disabled").value_or(0)) to.push_back(forbidden(on));
        return;
    }
    switch (const int error = on.running->uring_error) {
        case 0: to.push_back({.about = "io_uring", .says = "works"}); break;
        case EPERM:
        case EACCES: to.push_back(forbidden(on)); break;
        case ENOSYS:
            to.push_back({.about = "io_uring",
                          .is = state::warning,
                          .says = "not supported by this kernel, or hidden by a sandbox; epoll is used, at a higher "
                                  "CPU cost",
                          .fix = "zgrep CONFIG_IO_URING /proc/config.gz /boot/config-*"});
            break;
        case ENOMEM:
            to.push_back({.about = "io_uring",
                          .is = state::warning,
                          .says = "the limit for locked memory is too low; epoll is used",
                          .fix = "ulimit -l unlimited",
                          .persist = "LimitMEMLOCK=infinity in the unit of the service"});
            break;
        default:
            to.push_back({.about = "io_uring",
                          .is = state::warning,
                          .says = "does not work: " + std::string(std::strerror(error)) + "; epoll is used",
                          .fix = "journalctl -k --grep io_uring"});
    }
}

void examine_descriptors(const machine& on, findings& to) {
    const auto limit = on.limit_of("Max open files");
    if (!limit) return;
    // A server can raise its soft limit to the hard limit, so only the hard limit matters.
    if (limit->hard < 4096) {
        to.push_back(
            {.about = "descriptors",
             .is = state::warning,
             .says = "limited to " + std::to_string(limit->hard) + " per process, and each connection uses one",
             .fix = "ulimit -Hn 65536",
             .persist = "add `* hard nofile 65536` to /etc/security/limits.conf"});
    } else to.push_back({.about = "descriptors", .says = std::to_string(limit->hard) + " per process"});
}

}  // namespace

void examine_mark(const machine& on, findings& to, const mark& at) {
    const auto value = on.setting(at.name);
    if (!value) return;
    const std::string is = std::string(at.name) + " is " + std::to_string(*value);
    if (*value < at.least)
        to.push_back(of_setting(at.about, is + ": " + std::string(at.why), at.name, std::to_string(at.least)));
    else to.push_back({.about = at.about, .says = is});
}

void examine_kernel(const machine& on, findings& to) {
    examine_release(on, to);
    examine_uring(on, to);
    examine_descriptors(on, to);
    examine_mark(on, to,
                 {"backlog", "net.core.somaxconn", 1024, "the maximum number of connections waiting to be accepted"});
    examine_mark(
        on, to,
        {"watches", "fs.inotify.max_user_watches", 65536, "`apus dev` needs a watch for each folder of a project"});
}

}  // namespace apus::cli::doctor
