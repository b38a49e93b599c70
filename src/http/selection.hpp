// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/conditions.hpp"
#include "http/exchange.hpp"

#include <string>
#include <string_view>

namespace apus::http {

/// Request fields that select a representation or make the request conditional.
struct selection {
    codec::fields::conditions conditions;
    std::string_view range;
    std::string_view accept_encoding;  ///< Null data if the field is missing.
    /// Joined values of lists that were sent in several field lines.
    /// The views refer to them, so this object must not be moved.
    std::string joined[3];

    explicit selection(const exchange&);
    selection(const selection&) = delete;
    selection& operator=(const selection&) = delete;
};

/// Returns the response for conditions that are not met: 304 or a 412 problem.
/// The caller adds the validators to a 304.
response unmet(codec::fields::verdict);

}  // namespace apus::http
