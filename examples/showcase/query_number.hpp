// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <cstdint>
#include <string_view>

namespace showcase {

struct number_range {
    std::uint64_t otherwise;  ///< When the query does not have it.
    std::uint64_t most;
};

/// The number that the query gives as `name=123`. One that is none, or over the most, is a 400.
apus::result<std::uint64_t> query_number(const apus::request&, std::string_view name, number_range);

}  // namespace showcase
