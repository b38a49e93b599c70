// SPDX-License-Identifier: Apache-2.0
#include "markup/context.hpp"

namespace apus::markup {
namespace {

using at = context::at;

const char* place_in_script(context& now, escape& how) {
    using in = script_place::at;
    if (!now.script_type_known)
        return "values are not allowed in a script of this type: it is neither JavaScript nor JSON";
    if (now.script.lost)
        return "the context of this value in the script is ambiguous, because of a \"/\", a \"${\" or an open string "
               "before it: assign the value to a variable in a separate script";
    switch (now.script.where) {
        case in::code:
            how = escape::script_value;
            now.script.next_slash = script_place::slash::division;
            return nullptr;
        case in::text: how = escape::script_string; return nullptr;
        case in::template_text: return "values are not allowed between backticks: use a string in quotes";
        case in::pattern:
        case in::pattern_class: return "values are not allowed in a regular expression: use new RegExp with a string";
        default: return "values are not allowed in a comment of a script: use {{! }}";
    }
}

const char* refused_attribute(const context& now) {
    if (now.name.starts_with("on"))
        return "values are not allowed in an event handler: put the value into a data- attribute, and read it in a "
               "script";
    if (now.name == "style")
        return "values are not allowed in a style: use a class, or an attribute selector in the style sheet";
    return "values are not allowed in this attribute: it changes the meaning of other attributes, or contains several "
           "URLs";
}

const char* place_in_url(context& now, escape& how) {
    using in = url_place::at;
    const bool begins = now.url.where == in::start;
    if (now.url.where == in::refused)
        return "values are not allowed in a URL of this scheme: use http, https, mailto, tel, sms, ftp or a relative "
               "URL";
    if (now.kind == attribute::fixed_host_url && now.url.where != in::part)
        return "the URL of a script or frame must begin with fixed text, such as \"/static/\": a value must not "
               "determine its origin";
    how = begins ? escape::whole_url : escape::url_part;
    if (now.url.where != in::part) now.url = {in::open};
    return nullptr;
}

const char* place_in_attribute(context& now, escape& how) {
    now.value_begun = true;
    how = escape::text;
    if (now.kind == attribute::refused) return refused_attribute(now);
    if (now.kind != attribute::plain) return place_in_url(now, how);
    if (now.tag != "meta" || now.name != "content") return nullptr;
    now.value_in_content = true;
    return now.refreshes ? "values are not allowed in the content of a meta element with http-equiv" : nullptr;
}

}  // namespace

const char* rest(context& now) {
    constexpr auto unfinished =
        "a template tag splits an HTML or script token: put a space before it, or move it out of the token";
    switch (now.where) {
        case at::text: {
            const bool foreign = now.foreign;
            now = {};
            now.foreign = foreign;
            return nullptr;
        }
        case at::tag_open:
        case at::end_tag_open:
        case at::markup: return "the name of an element cannot come from the template; if \"<\" is text, write &lt;";
        case at::tag_name:
        case at::attribute_name:
        case at::after_tag_value:
        case at::in_tag:
        case at::after_name:
            now.where = now.where == at::in_tag || now.where == at::after_name ? at::in_tag : at::after_tag_value;
            now.name.clear();
            now.text.clear();
            now.kind = attribute::plain;
            now.quote = 0;
            now.value_begun = false;
            now.url = {};
            return nullptr;
        case at::before_value: return "the value of an attribute needs quotes around it";
        case at::value: return now.quote ? nullptr : "the value of an attribute needs quotes around it";
        case at::comment:
        case at::bogus_comment: return now.where == at::comment && now.matched ? unfinished : nullptr;
        case at::raw_text:
            now.text.clear();
            return now.matched || (now.inside == element::script && !rest(now.script)) ? unfinished : nullptr;
    }
    return nullptr;
}

const char* place_value(context& now, escape& how) {
    how = escape::text;
    switch (now.where) {
        case at::text: return nullptr;
        case at::value: return place_in_attribute(now, how);
        case at::raw_text:
            if (now.inside == element::title) return nullptr;
            if (now.inside == element::script) return place_in_script(now, how);
            return "values are not allowed in this element: browsers do not parse its content as text";
        case at::comment:
        case at::bogus_comment: return "values are not allowed in an HTML comment: use {{! }}, which is not sent";
        default:
            return "only quoted attribute values can come from the model: to omit an attribute, put {{if }} around it";
    }
}

bool join(context& into, const context& other) {
    context joined = other;
    if (into.where != other.where) {
        const auto in_tag = [](const context& c) { return c.where == at::in_tag || c.where == at::after_tag_value; };
        if (!in_tag(into) || !in_tag(other)) return false;
        into.where = joined.where = at::after_tag_value;
    }
    if (!join(joined.script, into.script)) return false;
    join(joined.url, into.url);
    joined.value_begun = into.value_begun || other.value_begun;
    joined.script_type_known = into.script_type_known && other.script_type_known;
    joined.refreshes = into.refreshes || other.refreshes;
    joined.value_in_content = into.value_in_content || other.value_in_content;
    into.script = joined.script;
    into.url = joined.url;
    into.value_begun = joined.value_begun;
    into.script_type_known = joined.script_type_known;
    into.refreshes = joined.refreshes;
    into.value_in_content = joined.value_in_content;
    return into == joined;
}

const char* describe(const context& now) {
    switch (now.where) {
        case at::text: return "in text";
        case at::value: return "in the value of an attribute";
        case at::comment:
        case at::bogus_comment: return "in a comment or declaration";
        case at::raw_text: return now.inside == element::script ? "in a script" : "in a style, title or the like";
        default: return "in a tag";
    }
}

}  // namespace apus::markup
