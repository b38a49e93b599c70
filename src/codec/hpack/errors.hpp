// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

// Reasons for rejecting a header block. The status is an HTTP/2 error code (RFC 9113, 7). The connection ends with this
// error, because the dynamic tables of both sides would differ from then on.

namespace apus::codec::hpack::errors {

inline constexpr refusal integer_overflow{9, "an integer in a header block is too large"};
inline constexpr refusal index_zero{9, "a header block refers to index 0"};
inline constexpr refusal index_unknown{9, "a header block refers to an index that neither table has"};
inline constexpr refusal huffman_padding{9, "a Huffman string ends with invalid padding"};
inline constexpr refusal huffman_end_of_string{9, "a Huffman string contains the end-of-string symbol"};
inline constexpr refusal size_update_late{9, "a dynamic table size update follows a field"};
inline constexpr refusal size_update_too_large{9, "a dynamic table size update exceeds the announced limit"};
inline constexpr refusal size_update_missing{9, "the dynamic table was not reduced to the acknowledged limit"};
inline constexpr refusal block_cut{9, "a header block ends within a field"};                ///< Detected by the caller.
inline constexpr refusal list_too_large{11, "a header list is far larger than announced"};  ///< ENHANCE_YOUR_CALM

}  // namespace apus::codec::hpack::errors
