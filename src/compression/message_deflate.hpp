// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Messages one by one, as permessage-deflate has it (RFC 7692, 7.2): DEFLATE without framing, whose
// window may reach into the messages before.

namespace apus::compression {

/// Compresses messages. Takes 2^(bits + 2) + 2^(bits + 2) bytes of memory: 32 KB for 12, 256 KB for 15.
class message_deflater {
public:
    /// `window_bits` is from 9 to 15. `keeps_window`: between messages.
    message_deflater(unsigned window_bits, bool keeps_window);
    message_deflater(const message_deflater&) = delete;
    message_deflater& operator=(const message_deflater&) = delete;
    ~message_deflater() { deflateEnd(&stream_); }

    /// Bytes that one takes.
    static constexpr std::size_t memory(unsigned window_bits) noexcept { return std::size_t{8} << window_bits; }

    /// Adds a whole message, which is not empty, to `out`.
    void put(std::string_view message, std::string& out);

    /// What comes does not refer to messages before.
    void forget() noexcept { deflateReset(&stream_); }

private:
    z_stream stream_{};
    bool keeps_window_;
};

/// Takes them apart again. Takes 2^bits bytes and 10 KB.
class message_inflater {
public:
    /// What came of a piece.
    enum class outcome : std::uint8_t {
        good,
        bad,        ///< It is not DEFLATE.
        too_large,  ///< More came out than `most`.
    };

    message_inflater(unsigned window_bits, bool keeps_window);
    message_inflater(const message_inflater&) = delete;
    message_inflater& operator=(const message_inflater&) = delete;
    ~message_inflater() { inflateEnd(&stream_); }

    /// Bytes that one takes.
    static constexpr std::size_t memory(unsigned window_bits) noexcept {
        return (std::size_t{1} << window_bits) + 10 * 1024;
    }

    /// Takes a piece of a message, `last` or not, and adds what comes out to `out`, which is all of the
    /// message so far and is not made larger than `most`. Not to be used again where it is not good.
    outcome take(std::string_view piece, bool last, std::string& out, std::uint64_t most);

private:
    outcome feed(std::string_view piece, std::string& out, std::uint64_t most);

    z_stream stream_{};
    bool keeps_window_;
};

}  // namespace apus::compression
