// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/hpack/decoder.hpp"
#include "codec/hpack/errors.hpp"

#include "support/page_end.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace apus::test {

/// Returns the bytes of hexadecimal text such as "82 86", with or without spaces.
inline std::string bytes_of(std::string_view hex) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string bytes;
    unsigned half = 0, have = 0;
    for (const char c : hex) {
        if (c == ' ') continue;
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos) throw std::invalid_argument("invalid hex digit");
        half = half << 4 | static_cast<unsigned>(digit);
        if (++have % 2 == 0) bytes += static_cast<char>(half & 0xff);
    }
    return bytes;
}

inline std::string hex_of(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        (hex += digits[byte >> 4]) += digits[byte & 15];
    }
    return hex;
}

/// Decodes header blocks like a connection, and returns the result as text.
/// The result has "name: value" lines, followed by the reason if the block was rejected.
class block_reader {
public:
    codec::hpack::decoder decoder;
    std::size_t room_size = 16 * 1024;
    std::uint32_t max_list = 64 * 1024;

    /// Decodes a block that arrives in pieces of `piece` bytes.
    std::string read(std::string_view block, std::size_t piece = ~std::size_t{0}) {
        using codec::hpack::step;
        std::string seen;
        decoder.begin_block(max_list);
        std::string rest;
        while (true) {
            const std::size_t n = block.size() < piece ? block.size() : piece;
            rest += block.substr(0, n);
            block.remove_prefix(n);
            std::string_view in = input_.place(rest);
            const step got = read_fields(in, seen);
            if (got == step::bad) return seen + "refused: " + decoder.why()->reason;
            rest = std::string(in);
            if (block.empty())
                return got == step::end ? seen : seen + "refused: " + codec::hpack::errors::block_cut.reason;
        }
    }

private:
    codec::hpack::step read_fields(std::string_view& in, std::string& seen) {
        using codec::hpack::step;
        std::vector<char> room(room_size);
        codec::hpack::field f;
        step got;
        while ((got = decoder.next(in, room, f)) == step::field || got == step::no_room) {
            if (got == step::no_room) {
                if ((got = decoder.skip(in, f)) != step::field) return got;
                seen += "(skipped)\n";
                continue;
            }
            ((seen += f.name) += ": ") += f.value;
            if (f.never_indexed) seen += " (never indexed)";
            if (f.malformed) seen += " (malformed)";
            seen += '\n';
        }
        return got;
    }

    page_end input_{256 * 1024};
};

}  // namespace apus::test
