// SPDX-License-Identifier: Apache-2.0
#pragma once

// HTML that templates insert without escaping. Templates: pages.hpp.

#include <apus/schema.hpp>

#include <string>

namespace apus {

/// Trusted HTML, which templates do not escape. Allowed in element content only.
/// To find all places where a program trusts a text, search for `trusted_html`.
///
/// Only templates can print such fields; JSON and forms cannot contain them.
class safe_html {
public:
    safe_html() = default;

    std::string_view bytes() const noexcept { return bytes_; }

private:
    friend safe_html trusted_html(std::string bytes);
    std::string bytes_;
};

/// Marks HTML as trusted.
/// `bytes` must be self-contained HTML, such as the output of a sanitizer or of a Markdown renderer that allows no
/// tags. Never pass client input.
inline safe_html trusted_html(std::string bytes) {
    safe_html made;
    made.bytes_ = std::move(bytes);
    return made;
}

template <>
struct detail::schema_of<safe_html> {
    static constexpr schema::object_calls calls = calls_of_object<safe_html>();
    static constexpr schema::type table() {
        return {.what = schema::kind::object, .name = "safe_html", .size = sizeof(safe_html), .object = &calls};
    }
};

}  // namespace apus
