// SPDX-License-Identifier: Apache-2.0
#include "server/standard_output.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>

#include <poll.h>
#include <unistd.h>

namespace apus::server {
namespace {

// If true, a pipe takes PIPE_BUF bytes without blocking.
bool is_writable() noexcept {
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) != 0;
}

}  // namespace

bool print_without_waiting(std::string_view text) noexcept {
    if (!is_writable()) return false;
    std::fflush(stdout);  // at most the stream's buffer, which for a pipe has PIPE_BUF bytes
    while (!text.empty()) {
        if (!is_writable()) return false;
        const ssize_t n = write(STDOUT_FILENO, text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
        if (n <= 0) return true;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace apus::server
