// SPDX-License-Identifier: Apache-2.0
#include <apus/redirect.hpp>

#include "base/percent.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace apus {
namespace {

bool is_control(char c) noexcept { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Whether RFC 3986, 2 allows the character: unreserved, reserved, and the percent sign of encoded bytes.
bool may_stand_in_address(char c) noexcept {
    constexpr std::string_view others = "%?#[]";
    return base::is(c, base::path_byte) || others.contains(c);
}

}  // namespace

response redirect(int status, std::string_view location) {
    constexpr std::array statuses{301, 302, 303, 307, 308};
    if (std::ranges::find(statuses, status) == statuses.end())
        throw std::invalid_argument("redirect: the status must be 301, 302, 303, 307 or 308, not " +
                                    std::to_string(status));
    if (location.empty()) throw std::invalid_argument("redirect: the location is empty");
    if (std::ranges::any_of(location, is_control))
        throw std::invalid_argument("redirect: the location contains a control character");
    std::string encoded;
    base::append_percent_encoded(encoded, location, may_stand_in_address);
    response out(status);
    out.header("location", encoded);
    return out;
}

result<response> redirect_within(int status, std::string_view location) {
    // Browsers treat a backslash as a slash, and ignore tabs and line ends (WHATWG URL, 4.4).
    const bool path = location.starts_with('/') && !location.starts_with("//") && !location.contains('\\');
    if (!path || std::ranges::any_of(location, is_control))
        return fail(400, "the return location is not a path on this server");
    return redirect(status, location);
}

}  // namespace apus
