// SPDX-License-Identifier: Apache-2.0
#include "markup/context.hpp"

#include "base/ascii.hpp"
#include "markup/elements.hpp"

namespace apus::markup {
namespace {

using at = context::at;

constexpr std::size_t longest_name = 64;  // longer than all known names; limits memory

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

void append_lower(std::string& to, char c) {
    if (to.size() < longest_name) to += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

void open_tag(context& now, char c, bool end) {
    const bool foreign = now.foreign;
    now = {};
    now.where = at::tag_name;
    now.end_tag = end;
    now.foreign = foreign;
    append_lower(now.tag, c);
}

void close_tag(context& now) {
    const bool turns_foreign = now.tag == "svg" || now.tag == "math";
    now.where = at::text;
    now.inside = element::plain;
    if (now.end_tag) {
        now.foreign = now.foreign && !turns_foreign;
        return;
    }
    now.foreign = now.foreign || turns_foreign;
    element inside = kind_of_element(now.tag);
    if (now.foreign)
        inside = inside == element::title ? element::plain : inside == element::plain ? element::plain : element::raw;
    if (inside == element::plain) return;
    now.where = at::raw_text;
    now.inside = inside;
    now.matched = 0;
    now.text.clear();
    now.script = {};
}

const char* begin_attribute(context& now, char c) {
    if (c == '=' || c == '"' || c == '\'' || c == '<')
        return "expected the name of an attribute, or the end of the tag";
    now.where = at::attribute_name;
    now.name.clear();
    append_lower(now.name, c);
    return nullptr;
}

const char* begin_value(context& now, char quote) {
    now.where = at::value;
    now.quote = quote;
    now.kind = kind_of_attribute(now.tag, now.name);
    now.url = {};
    now.text.clear();
    now.value_begun = false;
    if (now.tag != "meta" || now.name != "http-equiv") return nullptr;
    now.refreshes = true;
    return now.value_in_content ? "values are not allowed in the content of a meta element with http-equiv" : nullptr;
}

void end_value(context& now, at then) {
    if (now.tag == "script" && now.name == "type")
        now.script_type_known = now.script_type_known && is_script_type(now.text);
    now.where = then;
}

const char* advance_value(context& now, char c) {
    if (now.quote ? c == now.quote : is_space(c))
        return end_value(now, now.quote ? at::after_tag_value : at::in_tag), nullptr;
    if (!now.quote && c == '>') return end_value(now, at::in_tag), close_tag(now), nullptr;
    if (!now.quote && (c == '"' || c == '\'' || c == '<' || c == '`'))
        return "a quote or \"<\" in a value without quotes";
    now.value_begun = true;
    if (now.tag == "script" && now.name == "type" && now.text.size() < longest_name) now.text += c;
    return now.kind == attribute::url || now.kind == attribute::fixed_host_url ? advance(now.url, c) : nullptr;
}

const char* advance_tag(context& now, char c) {
    if (c == '>') return close_tag(now), nullptr;
    if (now.where == at::before_value) {
        if (is_space(c)) return nullptr;
        const bool quoted = c == '"' || c == '\'';
        if (const char* wrong = begin_value(now, quoted ? c : '\0')) return wrong;
        return quoted ? nullptr : advance_value(now, c);
    }
    if (is_space(c)) {
        if (now.where == at::attribute_name) now.where = at::after_name;
        else if (now.where != at::after_name) now.where = at::in_tag;
        return nullptr;
    }
    if (c == '/') return now.where = at::in_tag, nullptr;
    switch (now.where) {
        case at::tag_name: return append_lower(now.tag, c), nullptr;
        case at::after_tag_value: return "expected a space between two attributes or after the tag's name";
        case at::attribute_name:
        case at::after_name:
            if (c == '=') return now.where = at::before_value, nullptr;
            if (now.where == at::after_name) return begin_attribute(now, c);
            if (c == '"' || c == '\'' || c == '<') return "a quote or \"<\" in the name of an attribute";
            return append_lower(now.name, c), nullptr;
        default: return begin_attribute(now, c);
    }
}

const char* advance_markup(context& now, char c) {
    if (c == '>') return now.where = at::text, nullptr;
    if (now.text.empty() && c == '[') return "browsers parse \"<![\" differently: write the text with &lt; and &amp;";
    if (now.text.empty() && c == '-') return now.text = "-", nullptr;
    const bool comment = now.text == "-" && c == '-';
    now.where = comment ? at::comment : at::bogus_comment;
    now.matched = 2;  // `<!-->` is a complete comment
    now.value_begun = false;
    now.text.clear();
    return nullptr;
}

void advance_comment(context& now, char c) {
    if (c == '>' && now.matched >= 2) now.where = at::text;
    else if (c == '-') now.matched = now.matched == 3 ? 1 : now.matched ? 2 : 1;
    else now.matched = c == '!' && now.matched == 2 && now.value_begun ? 3 : 0;
    now.value_begun = true;
}

const char* advance_raw(context& now, char c) {
    const std::size_t whole = now.tag.size() + 2;
    if (now.matched == whole && (is_space(c) || c == '/' || c == '>')) {
        now.end_tag = true;
        now.where = at::in_tag;
        return advance_tag(now, c);
    }
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    const bool goes_on = now.matched == 0   ? c == '<'
                         : now.matched == 1 ? c == '/'
                                            : now.matched < whole && low == now.tag[now.matched - 2u];
    now.matched = goes_on ? static_cast<std::uint8_t>(now.matched + 1) : c == '<' ? 1 : 0;
    if (now.inside != element::script) return nullptr;
    advance(now.script, c);
    if (c == '<') now.text = "<";
    else if (!now.text.empty()) now.text = std::string_view("<!--").starts_with(now.text + c) ? now.text + c : "";
    return now.text == "<!--" ? "\"<!--\" in a script changes where the script ends: write \"<\\!--\" in a string"
                              : nullptr;
}

const char* advance_byte(context& now, char c) {
    switch (now.where) {
        case at::text:
            if (c == '<') now.where = at::tag_open;
            return nullptr;
        case at::tag_open:
            if (base::is_letter(c)) open_tag(now, c, false);
            else if (c == '!') now.where = at::markup, now.text.clear();
            else
                now.where = c == '/'   ? at::end_tag_open
                            : c == '?' ? at::bogus_comment
                            : c == '<' ? at::tag_open
                                       : at::text;
            return nullptr;
        case at::end_tag_open:
            if (base::is_letter(c)) open_tag(now, c, true);
            else now.where = c == '>' ? at::text : at::bogus_comment;
            return nullptr;
        case at::markup: return advance_markup(now, c);
        case at::comment: return advance_comment(now, c), nullptr;
        case at::bogus_comment:
            if (c == '>') now.where = at::text;
            return nullptr;
        case at::value: return advance_value(now, c);
        case at::raw_text: return advance_raw(now, c);
        default: return advance_tag(now, c);
    }
}

}  // namespace

const char* advance(context& now, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (now.where == at::text) i = text.find('<', i);
        if (i == text.npos) return nullptr;
        if (const char* wrong = advance_byte(now, text[i])) return wrong;
    }
    return nullptr;
}

}  // namespace apus::markup
