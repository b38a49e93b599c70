// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apus::codec {

/// Outcome of parsing.
/// Codecs do no I/O, own no memory and keep no bytes. The caller owns the buffer. After `partial`, the caller calls the
/// codec again with more bytes; after `bad`, the caller closes the connection.
enum class outcome : std::uint8_t {
    done,
    partial,
    bad
};

/// Reason for rejecting input.
/// It has the status of the response, and a sentence for the log and the problem document. All reasons are named
/// constants, so that they can be compared by address.
struct refusal {
    int status;
    const char* reason;
};

template <class T>
struct parsed {
    outcome state;
    T value{};
    std::size_t used = 0;          ///< Parsed bytes of the input; 0 unless `state` is `done`.
    const refusal* why = nullptr;  ///< Set only if `state` is `bad`.
};

}  // namespace apus::codec
