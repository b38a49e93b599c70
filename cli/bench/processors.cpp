// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/processors.hpp"

#include <ctime>
#include <sstream>
#include <string>

#include <unistd.h>

#include "cli/system/files.hpp"

namespace apus::cli::bench {

processors share_processors() {
    cpu_set_t may;
    CPU_ZERO(&may);
    std::vector<int> all;
    if (sched_getaffinity(0, sizeof may, &may) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &may)) all.push_back(cpu);
    if (all.size() < 2) return {all, all};
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    return {{all.begin(), middle}, {middle, all.end()}};
}

pinned::pinned(const std::vector<int>& to) {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : to) CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
}

pinned::~pinned() { sched_setaffinity(0, sizeof before_, &before_); }

double cpu_seconds_of(pid_t process) {
    clockid_t clock{};
    timespec used{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

double cpu_seconds_of_all() {
    std::istringstream first(system::read_file("/proc/stat"));
    std::string name;
    double user = 0, nice = 0, kernel = 0;
    first >> name >> user >> nice >> kernel;
    return name == "cpu" ? (user + nice + kernel) / static_cast<double>(sysconf(_SC_CLK_TCK)) : 0;
}

}  // namespace apus::cli::bench
