// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sched.h>
#include <sys/types.h>

namespace apus::cli::bench {

/// The CPUs available to the tool, divided between server and load generator.
/// The server gets half of the CPUs, at least one. A single CPU is shared.
struct processors {
    std::vector<int> server{}, load{};

    bool are_separate() const noexcept { return server != load; }
};

processors share_processors();

/// Binds the calling thread, and processes that it starts, to CPUs for the lifetime of this object.
class pinned {
public:
    explicit pinned(const std::vector<int>& to);
    ~pinned();
    pinned(const pinned&) = delete;
    pinned& operator=(const pinned&) = delete;

private:
    cpu_set_t before_{};
};

/// Returns the CPU time in seconds of all threads of a process; 0 if the process does not exist.
double cpu_seconds_of(pid_t process);

/// Returns the CPU time in seconds of all user processes since boot, in steps of 10 ms.
/// Excludes kernel threads. 0 if /proc is not readable.
double cpu_seconds_of_all();

}  // namespace apus::cli::bench
