// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

namespace apus::cli::system {

/// Owns a file descriptor; a negative value means none.
struct descriptor {
    int fd;
    ~descriptor() {
        if (fd >= 0) close(fd);
    }
};

}  // namespace apus::cli::system
