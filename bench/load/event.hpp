// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace load {

/// What may be asked for, and be told of.
enum class did : std::uint32_t {
    receive,
    discard,
    send,
    connect,
    cancel
};

/// Bytes that are discarded at once, so that a result has room for them.
constexpr std::uint64_t most_discarded = 1U << 30;

/// What came of it, for the connection of a slot.
struct event {
    did what;
    std::uint32_t slot;
    int result;             ///< Bytes, or a negative errno.
    bool more;              ///< A receive goes on.
    std::string_view data;  ///< Lives until the callback returns.
};

}  // namespace load
