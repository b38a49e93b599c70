// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <sched.h>
#include <sys/types.h>

namespace apus::cli::bench {

/// The CPUs that the tool may use, shared out: half of them, and at least one, for the server and the rest for the
/// load. With a single one both have it.
struct processors {
    std::vector<int> server{}, load{};

    bool are_apart() const noexcept { return server != load; }
};

processors share_processors();

/// While this lives, what the calling thread starts runs on these CPUs only, as it does itself.
class pinned {
public:
    explicit pinned(const std::vector<int>& to);
    ~pinned();
    pinned(const pinned&) = delete;
    pinned& operator=(const pinned&) = delete;

private:
    cpu_set_t before_{};
};

/// CPU time in seconds that a process has used, all of its threads together. 0 if there is none of that number.
double cpu_seconds_of(pid_t process);

/// CPU time in seconds that all programs of the machine have used since it was started, in steps of 10 ms, without
/// what the kernel does for itself. 0 if /proc does not tell.
double cpu_seconds_of_all();

}  // namespace apus::cli::bench
