// SPDX-License-Identifier: Apache-2.0
#include "operations/process_stats.hpp"

#include <charconv>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apus::operations {
namespace {

// Fields 20 (threads), 22 (start), 23 (virtual bytes) and 24 (resident pages) of /proc/self/stat.
struct stat_fields {
    std::uint64_t threads = 0, started = 0, virtual_bytes = 0, resident_pages = 0;
};

std::optional<stat_fields> read_stat() {
    std::string line;
    std::getline(std::ifstream("/proc/self/stat"), line);
    const auto name_end = line.rfind(')');  // the name may contain anything
    if (name_end == line.npos) return {};
    std::istringstream rest(line.substr(name_end + 1));
    std::string skipped;
    for (int field = 3; field < 20; ++field) rest >> skipped;
    stat_fields read;
    rest >> read.threads >> skipped >> read.started >> read.virtual_bytes >> read.resident_pages;
    return rest ? std::optional(read) : std::nullopt;
}

std::optional<std::uint64_t> boot_time() {
    std::ifstream file("/proc/stat");
    for (std::string line; std::getline(file, line);) {
        std::uint64_t seconds = 0;
        if (line.starts_with("btime ") &&
            std::from_chars(line.data() + 6, line.data() + line.size(), seconds).ec == std::errc())
            return seconds;
    }
    return {};
}

// Linux 6.2 and later report the number of descriptors as the size of the folder. With older kernels, the folder's
// entries are counted.
std::optional<std::uint64_t> open_descriptors() {
    constexpr const char* folder = "/proc/self/fd";
    struct stat found{};
    if (stat(folder, &found) == 0 && found.st_size > 0) return static_cast<std::uint64_t>(found.st_size);
    DIR* const open = opendir(folder);
    if (!open) return {};
    std::uint64_t count = 0;
    while (const dirent* entry = readdir(open)) count += entry->d_name[0] != '.';
    closedir(open);
    return count - 1;  // without the descriptor of the folder
}

void gauge(exposition& to, std::string_view name, std::string_view help, double value) {
    to.family(name, metric_type::gauge, help);
    to.sample({}, value);
}

}  // namespace

void describe_process(exposition& to) {
    timespec used{};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0) {
        to.family("process_cpu_seconds_total", metric_type::counter, "CPU time of all threads, in seconds.");
        to.sample({}, static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9);
    }
    if (const auto read = read_stat()) {
        const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
        gauge(to, "process_resident_memory_bytes", "Resident memory.",
              static_cast<double>(read->resident_pages * page));
        gauge(to, "process_virtual_memory_bytes", "Virtual memory.", static_cast<double>(read->virtual_bytes));
        gauge(to, "process_threads", "Threads.", static_cast<double>(read->threads));
        static const auto booted = boot_time();
        if (booted) {
            const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
            gauge(to, "process_start_time_seconds", "Start of the process, in seconds since 1970.",
                  static_cast<double>(*booted) + static_cast<double>(read->started) / ticks);
        }
    }
    if (const auto open = open_descriptors())
        gauge(to, "process_open_fds", "Open descriptors.", static_cast<double>(*open));
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        gauge(to, "process_max_fds", "Limit of open descriptors.", static_cast<double>(limit.rlim_cur));
}

}  // namespace apus::operations
