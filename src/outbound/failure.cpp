// SPDX-License-Identifier: Apache-2.0
#include "outbound/failure.hpp"

#include <apus/http.hpp>

#include <algorithm>

namespace apus::outbound {

error unavailable(const char* detail, std::string_view why) {
    error made(503, detail);
    made.expose().header("retry-after", "1").cause(why);
    return made;
}

std::string printable(std::string_view text) {
    constexpr std::size_t longest = 500;
    std::string made(text.substr(0, longest));
    std::ranges::replace_if(made, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }, '?');
    return made;
}

}  // namespace apus::outbound
