// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace load {

/// Operations of an I/O backend, as reported in its events.
enum class did : std::uint32_t {
    receive,
    discard,
    send,
    connect,
    cancel
};

/// Maximum number of bytes to discard at once, so that the result fits in an int.
constexpr std::uint64_t most_discarded = 1U << 30;

/// Result of an operation on a connection.
struct event {
    did what;
    std::uint32_t slot;
    int result;             ///< Bytes, or a negative errno.
    bool more;              ///< The receive operation continues.
    std::string_view data;  ///< Valid until the callback returns.
};

}  // namespace load
