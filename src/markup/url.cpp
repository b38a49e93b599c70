// SPDX-License-Identifier: Apache-2.0
#include "markup/url.hpp"

#include "base/ascii.hpp"

namespace apus::markup {
namespace {

bool ends_scheme(char c) { return c == '/' || c == '?' || c == '#'; }

}  // namespace

const char* advance(url_place& place, char c) {
    using at = url_place::at;
    switch (place.where) {
        case at::start:
        case at::scheme:
            if (ends_scheme(c)) place.where = at::part, place.scheme.clear();
            else if (c == ':') {
                place.where = is_harmless_scheme(place.scheme) ? at::part : at::refused;
                place.scheme.clear();
            } else if (place.scheme.size() < 16 && c != '&') place.where = at::scheme, place.scheme += c;
            else place.where = c == '&' ? at::refused : at::scheme;  // a character reference may stand for a colon
            return nullptr;
        case at::open:
            if (c == ':' || c == '&')
                return "this colon follows a value that may be empty, and would end the scheme of a URL: let the value "
                       "be the whole URL, or begin the URL with fixed text";
            if (ends_scheme(c)) place.where = at::part;
            return nullptr;
        default: return nullptr;
    }
}

void join(url_place& into, const url_place& other) {
    using at = url_place::at;
    if (into == other) return;
    const bool refused = into.where == at::refused || other.where == at::refused;
    into = {refused ? at::refused : at::open};
}

bool is_harmless_scheme(std::string_view scheme) noexcept {
    for (const std::string_view good : {"http", "https", "mailto", "tel", "sms", "ftp"})
        if (base::equal_ignoring_case(scheme, good)) return true;
    return false;
}

}  // namespace apus::markup
