// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

struct iovec;

namespace apus::server {

/// Where lines go: a descriptor that is never waited for but in `ready`, whatever it is. Its flags
/// are left alone, since it may be shared with other processes, a terminal's shell among them.
class log_output {
public:
    enum class kind {
        file,
        stream_socket,
        other
    };

    explicit log_output(int fd) noexcept;  ///< Stays the caller's.

    /// Waits until bytes can be written or `also` is readable. True: bytes can be written.
    bool ready(int also) const noexcept;

    /// Writes some of the pieces without waiting. The bytes written; 0: try again when ready;
    /// -1: these bytes cannot be written.
    long write(const iovec* pieces, int count) const noexcept;

private:
    int fd_;
    kind kind_;
};

}  // namespace apus::server
