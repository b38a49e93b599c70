// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "markup/script.hpp"
#include "markup/url.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::markup {

/// How a value is written so that it can be nothing but a value where it stands.
enum class escape : std::uint8_t {
    text,          ///< In an element, or in a quoted attribute: no byte that ends it or begins a reference.
    whole_url,     ///< The beginning of an address: its scheme is one that runs no script.
    url_part,      ///< A part of an address: nothing in it divides the address.
    script_value,  ///< A value of JavaScript or JSON.
    script_string  ///< Within a string of JavaScript or JSON.
};

/// What kind of element a tag opens, as far as it matters for what is in it.
enum class element : std::uint8_t {
    plain,
    title,  ///< Or textarea: text without tags.
    script,
    raw  ///< style, xmp and others, into which no value goes.
};

enum class attribute : std::uint8_t {
    plain,
    url,
    fixed_host_url,  ///< Of what runs or frames the page it names: its host is not left to a value.
    refused
};

/// Where in a page the tokenizer of HTML (13.2.5 of the HTML standard) is, as far as values
/// need to know. Two of them are compared where branches come together.
struct context {
    enum class at : std::uint8_t {
        text,
        tag_open,      ///< Behind `<`.
        end_tag_open,  ///< Behind `</`.
        tag_name,
        in_tag,           ///< Where an attribute may begin.
        after_tag_value,  ///< The same, but a blank or the tag's end has to come first.
        attribute_name,
        after_name,
        before_value,
        value,   ///< In quotes, those of `quote`, or none if it is 0.
        markup,  ///< Behind `<!` or `<?`.
        comment,
        bogus_comment,
        raw_text  ///< In an element of kind `inside`.
    };
    at where = at::text;
    element inside = element::plain;
    attribute kind = attribute::plain;
    char quote = 0;
    bool end_tag = false;
    bool foreign = false;  ///< In svg or math, where scripts are read by other rules.
    bool script_type_known = true;
    bool refreshes = false;  ///< A meta with http-equiv.
    bool value_in_content = false;
    std::uint8_t matched = 0;  ///< Bytes of a mark that has begun: `--` of `-->`, `</scr` of `</script>`.
    bool value_begun = false;  ///< Something stands in the attribute's value.
    std::string tag{};
    std::string name{};  ///< Of the attribute.
    std::string text{};  ///< The value so far of an attribute that decides about others.
    url_place url{};
    script_place script{};

    bool operator==(const context&) const = default;
};

/// Goes on through fixed text. Null, or what is wrong with it.
const char* advance(context&, std::string_view text);

/// To be called where a tag of the template stands, before it is looked at. Null, or why none may.
const char* rest(context&);

/// How a value is written here. Null, or why none may be.
const char* place_value(context&, escape& how);

/// One context for two branches that come together. False: they cannot.
bool join(context& into, const context& other);

/// "in an attribute's value": for messages.
const char* describe(const context&);

}  // namespace apus::markup
