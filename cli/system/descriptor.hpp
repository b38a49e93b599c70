// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

namespace apus::cli::system {

/// Owns a file descriptor; negative if empty.
struct descriptor {
    int fd;
    ~descriptor() {
        if (fd >= 0) close(fd);
    }
};

}  // namespace apus::cli::system
