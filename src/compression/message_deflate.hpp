// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// permessage-deflate (RFC 7692, 7.2): one DEFLATE stream per message without framing, with optional context takeover.

namespace apus::compression {

/// Compresses messages.
/// Uses 2^(bits + 3) bytes of memory: 32 KB for 12 bits, 256 KB for 15 bits.
class message_deflater {
public:
    /// `window_bits` is from 9 to 15. `keeps_window`: keeps the window between messages.
    message_deflater(unsigned window_bits, bool keeps_window);
    message_deflater(const message_deflater&) = delete;
    message_deflater& operator=(const message_deflater&) = delete;
    ~message_deflater() { deflateEnd(&stream_); }

    /// Returns the memory used, in bytes.
    static constexpr std::size_t memory(unsigned window_bits) noexcept { return std::size_t{8} << window_bits; }

    /// Compresses a whole message, which must not be empty, and appends it to `out`.
    void put(std::string_view message, std::string& out);

    /// Resets the window, so that later output does not refer to earlier messages.
    void forget() noexcept { deflateReset(&stream_); }

private:
    z_stream stream_{};
    bool keeps_window_;
};

/// Decompresses messages. Uses 2^bits bytes and 10 KB.
class message_inflater {
public:
    /// Result of `take`.
    enum class outcome : std::uint8_t {
        good,
        bad,        ///< Invalid DEFLATE data.
        too_large,  ///< The decompressed message is larger than `most`.
    };

    message_inflater(unsigned window_bits, bool keeps_window);
    message_inflater(const message_inflater&) = delete;
    message_inflater& operator=(const message_inflater&) = delete;
    ~message_inflater() { inflateEnd(&stream_); }

    /// Returns the memory used, in bytes.
    static constexpr std::size_t memory(unsigned window_bits) noexcept {
        return (std::size_t{1} << window_bits) + 10 * 1024;
    }

    /// Decodes a piece of a message and appends output to `out`, up to `most` bytes in total.
    /// `out` holds the message so far. Do not use this object after an error.
    outcome take(std::string_view piece, bool last, std::string& out, std::uint64_t most);

private:
    outcome feed(std::string_view piece, std::string& out, std::uint64_t most);

    z_stream stream_{};
    bool keeps_window_;
};

}  // namespace apus::compression
