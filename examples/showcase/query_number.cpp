// SPDX-License-Identifier: Apache-2.0
#include "showcase/query_number.hpp"

#include <charconv>

namespace showcase {

apus::result<std::uint64_t> query_number(const apus::request& req, std::string_view name, number_range range) {
    std::string_view rest = req.query();
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(pair.size() == rest.size() ? pair.size() : pair.size() + 1);
        const auto equals = pair.find('=');
        if (equals == pair.npos || pair.substr(0, equals) != name) continue;

        const std::string_view digits = pair.substr(equals + 1);
        std::uint64_t value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (read.ec == std::errc() && read.ptr == digits.data() + digits.size() && value <= range.most) return value;
        return apus::fail(400, std::string(name) + " must be a number from 0 to " + std::to_string(range.most));
    }
    return range.otherwise;
}

}  // namespace showcase
