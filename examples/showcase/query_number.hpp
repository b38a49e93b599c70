// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <cstdint>
#include <string_view>

namespace showcase {

struct number_range {
    std::uint64_t otherwise;  ///< Value if the query does not contain the number.
    std::uint64_t most;
};

/// Returns the number in the query as `name=123`. An invalid number, or one over the maximum, is a
/// 400.
apus::result<std::uint64_t> query_number(const apus::request&, std::string_view name, number_range);

}  // namespace showcase
