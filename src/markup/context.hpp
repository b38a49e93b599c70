// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/script.hpp"
#include "markup/url.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::markup {

/// How a value is escaped, so that it cannot end or change its surroundings.
enum class escape : std::uint8_t {
    /// In element content or a quoted attribute: escapes delimiters and `&`.
    text,
    whole_url,     ///< The beginning of a URL: allows only safe schemes.
    url_part,      ///< A part of a URL: escapes delimiters.
    script_value,  ///< A JavaScript or JSON value.
    script_string  ///< Within a JavaScript or JSON string.
};

/// Kind of an element, by the parsing rules of its content.
enum class element : std::uint8_t {
    plain,
    title,  ///< Also for textarea: text without tags.
    script,
    raw  ///< style, xmp and others, which must not contain values.
};

enum class attribute : std::uint8_t {
    plain,
    url,
    fixed_host_url,  ///< URL of a script or frame: a value must not set the host.
    refused
};

/// The state of the HTML tokenizer (HTML standard, 13.2.5) that determines how values are escaped.
/// Two states are compared where branches join.
struct context {
    enum class at : std::uint8_t {
        text,
        tag_open,      ///< After `<`.
        end_tag_open,  ///< After `</`.
        tag_name,
        in_tag,           ///< Where an attribute may begin.
        after_tag_value,  ///< Like `in_tag`, but a blank or the tag's end must come first.
        attribute_name,
        after_name,
        before_value,
        value,   ///< In quotes `quote`; unquoted if that is 0.
        markup,  ///< After `<!` or `<?`.
        comment,
        bogus_comment,
        raw_text  ///< In an element of kind `inside`.
    };
    at where = at::text;
    element inside = element::plain;
    attribute kind = attribute::plain;
    char quote = 0;
    bool end_tag = false;
    bool foreign = false;  ///< In svg or math, where scripts have other parsing rules.
    bool script_type_known = true;
    bool refreshes = false;  ///< A meta element with http-equiv.
    bool value_in_content = false;
    std::uint8_t matched = 0;  ///< Matched bytes of an end mark: `--` of `-->`, `</scr` of `</script>`.
    bool value_begun = false;  ///< The attribute's value is not empty.
    std::string tag{};
    std::string name{};  ///< Name of the attribute.
    std::string text{};  ///< The value so far, for attributes that determine how other attributes are treated.
    url_place url{};
    script_place script{};

    bool operator==(const context&) const = default;
};

/// Advances over literal text. Returns null or an error message.
const char* advance(context&, std::string_view text);

/// Call before each tag of the template. Returns null, or why a tag is not allowed here.
const char* rest(context&);

/// Determines how to escape a value here. Returns null, or why no value is allowed.
const char* place_value(context&, escape& how);

/// Joins the states of two branches into one. Returns false if they are incompatible.
bool join(context& into, const context& other);

/// Returns a description for messages: "in the value of an attribute".
const char* describe(const context&);

}  // namespace apus::markup
