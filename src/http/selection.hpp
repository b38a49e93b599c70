// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/conditions.hpp"
#include "http/exchange.hpp"

#include <string>
#include <string_view>

namespace apus::http {

/// What a request says about which representation it wants, and whether at all.
struct selection {
    codec::fields::conditions conditions;
    std::string_view range;
    std::string_view accept_encoding;  ///< Without data if the field did not come.
    std::string joined[3];             ///< Lists that came on several lines. So this must not move.

    explicit selection(const exchange&);
    selection(const selection&) = delete;
    selection& operator=(const selection&) = delete;
};

/// The answer to a request whose conditions do not hold: 304 with no more than its validators, or a
/// problem document for 412.
response unmet(codec::fields::verdict);

}  // namespace apus::http
