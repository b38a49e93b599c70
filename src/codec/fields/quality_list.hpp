// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::fields {

/// An item of a list with weights (RFC 9110, 12.4.2), such as `gzip;q=0.5` of Accept-Encoding.
struct weighted {
    std::string_view value;  ///< Includes parameters before the weight, as in a media range.
    unsigned weight = 1000;  ///< In thousandths, from 0 ("not acceptable") to 1000.
};

/// Removes the next item from the value of Accept, Accept-Encoding, Accept-Language or TE.
/// Returns false at the end. Commas in quoted strings do not end an item. Skips items with an invalid weight.
bool next_weighted(std::string_view& list, weighted& item) noexcept;

/// Returns the weight, from 0 to 1000, of a content coding in Accept-Encoding (RFC 9110, 12.5.3).
/// Uses the first item with the coding's name, case-insensitive, otherwise the first item `*`. Without either, returns
/// 1000 for "identity", and 0 for other codings. `coding` must be in lower case.
unsigned coding_weight(std::string_view accept_encoding, std::string_view coding) noexcept;

}  // namespace apus::codec::fields
