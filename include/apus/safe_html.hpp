// SPDX-License-Identifier: Apache-2.0
#pragma once

// HTML that a template writes as it is. Templates are in pages.hpp.

#include <apus/schema.hpp>

#include <string>

namespace apus {

/// HTML that a program vouches for: the one thing that a template does not escape. It may stand in
/// elements only, where tags may stand. To find all places where a program takes a text for
/// harmless, search for `trusted_html`.
///
/// As a field it is written by templates only: JSON and forms read nothing into it.
class safe_html {
public:
    safe_html() = default;

    std::string_view bytes() const noexcept { return bytes_; }

private:
    friend safe_html trusted_html(std::string bytes);
    std::string bytes_;
};

/// `bytes` must be HTML that is complete in itself, such as what a sanitizer or a renderer of
/// Markdown that lets no tags through has written. Never what a client sent.
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
