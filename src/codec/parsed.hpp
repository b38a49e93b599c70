// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace apus::codec {

/// Three outcomes, and no other: a codec does no I/O, owns no memory and keeps no bytes. The
/// caller owns the buffer, calls again with more bytes on `partial`, and closes on `bad`.
enum class outcome : std::uint8_t {
    done,
    partial,
    bad
};

/// Why bytes were refused: the status that answers them and a sentence for the log and the
/// problem document. Always one of the named constants, so that it can be compared by address.
struct refusal {
    int status;
    const char* reason;
};

template <class T>
struct parsed {
    outcome state;
    T value{};
    std::size_t used = 0;          ///< Bytes that belong to `value`; 0 unless done.
    const refusal* why = nullptr;  ///< Only when bad.
};

}  // namespace apus::codec
