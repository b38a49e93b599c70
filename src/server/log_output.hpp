// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

struct iovec;

namespace apus::server {

/// A descriptor for log lines. Only `ready` waits for the descriptor.
/// Does not change the flags of the open file description (such as O_NONBLOCK), which other processes may share, for
/// example the shell of a terminal.
class log_output {
public:
    enum class kind {
        file,
        stream_socket,
        other
    };

    explicit log_output(int fd) noexcept;  ///< Does not own the descriptor.

    /// Waits until bytes can be written or `also` is readable. Returns whether bytes can be written.
    bool ready(int also) const noexcept;

    /// Writes some of the pieces without waiting, and returns the number of bytes written.
    /// Returns 0 if the caller must wait for `ready` and call again, and -1 if these bytes cannot be written.
    long write(const iovec* pieces, int count) const noexcept;

private:
    int fd_;
    kind kind_;
};

}  // namespace apus::server
