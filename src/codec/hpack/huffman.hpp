// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

#include <cstddef>
#include <string_view>

namespace apus::codec::hpack {

/// Returns the maximum size of the decoded text of a Huffman string of `size` bytes.
constexpr std::size_t max_huffman(std::size_t size) noexcept { return size * 8 / 5; }

/// Result of decoding a text.
struct huffman_text {
    char* end;             ///< End of the text, unless the string is invalid.
    bool usual;            ///< All codes have at most 11 bits: the text is visible characters and spaces.
    const refusal* why{};  ///< `errors::huffman_padding` or `errors::huffman_end_of_string` if invalid.
};

/// Decodes a whole Huffman string into `to`, which must have `max_huffman(in.size())` bytes.
/// Does not read outside `in`.
huffman_text read_huffman(std::string_view in, char* to) noexcept;

/// Like `read_huffman`, but slower: `to` needs room only for the decoded text.
huffman_text read_huffman_exactly(std::string_view in, char* to) noexcept;

/// Returns the size of the decoded text. Sets `why` only if `in` is invalid.
std::size_t measure_huffman(std::string_view in, const refusal*& why) noexcept;

}  // namespace apus::codec::hpack
