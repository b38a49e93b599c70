// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

namespace apus::cli::system {

/// A file descriptor that is closed with this; a negative one is none.
struct descriptor {
    int fd;
    ~descriptor() {
        if (fd >= 0) close(fd);
    }
};

}  // namespace apus::cli::system
