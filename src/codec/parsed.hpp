// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apus::codec {

/// Outcome of parsing.
/// Codecs do no I/O, own no memory and keep no bytes. The caller owns the buffer, calls again with more bytes after
/// `partial`, and closes the connection after `bad`.
enum class outcome : std::uint8_t {
    done,
    partial,
    bad
};

/// Reason to refuse input.
/// Has the status of the response, and a sentence for the log and the problem document. Always one of the named
/// constants, so that it can be compared by address.
struct refusal {
    int status;
    const char* reason;
};

template <class T>
struct parsed {
    outcome state;
    T value{};
    std::size_t used = 0;          ///< Bytes of input that were parsed; 0 unless done.
    const refusal* why = nullptr;  ///< Set only if bad.
};

}  // namespace apus::codec
