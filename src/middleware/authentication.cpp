// SPDX-License-Identifier: Apache-2.0
#include "middleware/authentication.hpp"

#include "base/ascii.hpp"
#include "codec/fields/credentials.hpp"

#include <stdexcept>

namespace apus::middleware {

presented present_credentials(request& req, std::string_view scheme) {
    presented found;
    unsigned fields = 0;
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        const field_view field = req.header_at(i);
        if (!base::same_word(field.name, "authorization")) continue;
        if (++fields > 1) return {presented::what::malformed, {}};
        const auto read = codec::fields::read_credentials(field.value);
        const std::string_view sent = read ? read->scheme : field.value.substr(0, field.value.find(' '));
        if (!base::same_word(sent, scheme)) continue;
        if (!read || read->token.empty()) found.state = presented::what::malformed;
        else found = {presented::what::token, read->token};
    }
    return found;
}

pending_response challenge(response& out, int status, std::string_view detail, std::string_view www_authenticate) {
    detail::refuse(error(status, std::string(detail)), out);
    if (!www_authenticate.empty()) out.header("www-authenticate", www_authenticate);
    out.header("cache-control", "no-store");
    return {};
}

void check_realm(std::string_view realm, const char* whose) {
    for (const char c : realm)
        if (c < ' ' || c > '~' || c == '"' || c == '\\')
            throw std::invalid_argument(std::string(whose) +
                                        ": a realm must be visible ASCII and spaces, without quotes and backslashes");
}

}  // namespace apus::middleware
