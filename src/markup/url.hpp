// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::markup {

/// How far into an address the value of an attribute is.
struct url_place {
    enum class at : std::uint8_t {
        start,
        scheme,  ///< In what may become a scheme; all of it is fixed text.
        open,    ///< Something came from a value, and no byte has come yet that ends a scheme.
        part,    ///< Behind the scheme, or in a relative address.
        refused  ///< Behind a scheme that takes no values.
    };
    at where = at::start;
    std::string scheme{};

    bool operator==(const url_place&) const = default;
};

/// Goes on by a byte of fixed text. Null, or what is wrong.
const char* advance(url_place&, char c);

void join(url_place& into, const url_place& other);

/// Whether a browser can take nothing of this scheme for a script or a page of its own.
bool is_harmless_scheme(std::string_view scheme) noexcept;

}  // namespace apus::markup
