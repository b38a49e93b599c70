// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::markup {

/// Parsing state within a URL in an attribute's value.
struct url_place {
    enum class at : std::uint8_t {
        start,
        scheme,  ///< In literal text that may be a scheme.
        open,    ///< After a value, and before a byte that rules out a scheme.
        part,    ///< After the scheme, or in a relative URL.
        refused  ///< After a scheme that must not be followed by values.
    };
    at where = at::start;
    std::string scheme{};

    bool operator==(const url_place&) const = default;
};

/// Advances over a byte of literal text. Returns null or an error message.
const char* advance(url_place&, char c);

void join(url_place& into, const url_place& other);

/// Whether browsers neither execute a URL of this scheme nor show it as a page of this site.
bool is_harmless_scheme(std::string_view scheme) noexcept;

}  // namespace apus::markup
