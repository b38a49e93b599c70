// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::codec::fields {

/// An item of a list with weights (RFC 9110, 12.4.2), such as `gzip;q=0.5` of Accept-Encoding.
struct weighted {
    std::string_view value;  ///< With the parameters before the weight, if it has any: a media range may.
    unsigned weight = 1000;  ///< In thousandths, from 0, which is "not acceptable", to 1000.
};

/// Takes the next item off the value of Accept, Accept-Encoding, Accept-Language or TE. False at
/// the end. Commas in quoted strings do not end an item; items whose weight is none are passed over.
bool next_weighted(std::string_view& list, weighted& item) noexcept;

/// The weight, from 0 to 1000, that an Accept-Encoding value gives to a content coding (RFC 9110,
/// 12.5.3): by its name in any case, else by `*`, else 1000 for "identity" and 0 for any other.
/// `coding` is in lower case. A name that stands there twice counts by its first weight.
unsigned coding_weight(std::string_view accept_encoding, std::string_view coding) noexcept;

}  // namespace apus::codec::fields
