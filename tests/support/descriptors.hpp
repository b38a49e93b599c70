// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include <sys/resource.h>

namespace apus::support {

/// Raises the soft limit of this process, which is often 1,024.
/// Throws if the hard limit is below `least`.
inline void need_descriptors(rlim_t least) {
    rlimit now;
    getrlimit(RLIMIT_NOFILE, &now);
    if (now.rlim_cur >= least) return;
    now.rlim_cur = least;
    if (setrlimit(RLIMIT_NOFILE, &now) != 0)
        throw std::runtime_error("the limit of descriptors is too low for this test");
}

}  // namespace apus::support
