// SPDX-License-Identifier: Apache-2.0
#include "configuration/node.hpp"

#include "base/ascii.hpp"
#include "base/json_string.hpp"
#include "codec/json/pointer.hpp"

#include <apus/json.hpp>
#include <apus/json_value.hpp>

#include <algorithm>
#include <charconv>

namespace apus::configuration {
namespace {

using schema::kind;

// Returns the innermost type of optionals, secrets and represented types, which determines how text is converted.
const schema::type& written_type(const schema::type& t) {
    const bool wraps = t.what == kind::optional || t.what == kind::secret || t.what == kind::represented;
    return wraps ? written_type(*t.element) : t;
}

bool is_number(std::string_view text) {
    return !text.empty() && (text[0] == '-' || base::is_digit(text[0])) && is_json(text);
}

node single(const schema::type& t, std::string_view text, const origin& at) {
    node made{.what = node::kind::text, .text = std::string(text), .at = at};
    switch (t.what) {
        case kind::boolean: {
            const bool yes = text == "true" || text == "on" || text == "yes" || text == "1";
            const bool no = text == "false" || text == "off" || text == "no" || text == "0";
            if (yes || no) made.what = node::kind::json, made.text = yes ? "true" : "false";
            break;
        }
        case kind::integer:
        case kind::natural:
        case kind::number:
            if (is_number(text)) made.what = node::kind::json;
            break;
        case kind::value:
            if (is_json(text)) made.what = node::kind::json;
            break;
        default: break;
    }
    return made;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && base::is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && base::is_blank(text.back())) text.remove_suffix(1);
    return text;
}

node separated(const schema::type& element, std::string_view text, const origin& at) {
    node made{.what = node::kind::list, .at = at};
    while (!trimmed(text).empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        made.members.push_back(node_of_text(element, trimmed(text.substr(0, comma)), at));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return made;
}

}  // namespace

node* node::find(std::string_view wanted) {
    const auto found = std::ranges::find(members, wanted, &node::name);
    return what == kind::table && found != members.end() ? &*found : nullptr;
}

node& node::put(std::string_view by, node value) {
    value.name = by;
    if (node* const present = find(by)) return *present = std::move(value);
    return members.emplace_back(std::move(value));
}

void node::remove(std::string_view unwanted) {
    std::erase_if(members, [&](const node& each) { return each.name == unwanted; });
}

bool is_json(std::string_view text) { return from_json<json_value>(text).has_value(); }

node node_of_text(const schema::type& given, std::string_view text, const origin& at) {
    const schema::type& t = written_type(given);
    const bool has_parts =
        t.what == kind::list || t.what == kind::map || t.what == kind::object || t.what == kind::variant;
    if (!has_parts) return single(t, text, at);
    const std::string_view begin = trimmed(text).substr(0, 1);
    if ((begin == "[" || begin == "{") && is_json(text))
        return {.what = node::kind::json, .text = std::string(text), .at = at};
    if (t.what == kind::list && begin != "[" && begin != "{") return separated(*t.element, text, at);
    return {.what = node::kind::text, .text = std::string(text), .at = at};
}

void append_json(std::string& to, const node& of) {
    if (of.what == node::kind::json) {
        to += of.text;
        return;
    }
    if (of.what == node::kind::text) return base::append_json_string(to, of.text);
    const bool is_table = of.what == node::kind::table;
    to += is_table ? '{' : '[';
    for (bool first = true; const node& each : of.members) {
        if (!first) to += ',';
        first = false;
        if (is_table) base::append_json_string(to, each.name), to += ':';
        append_json(to, each);
    }
    to += is_table ? '}' : ']';
}

std::string take_reference(std::string_view& pointer) {
    std::string token;
    codec::json::take_reference(pointer, token);
    return token;
}

const node& deepest(const node& root, std::string_view pointer) {
    const node* here = &root;
    while (!pointer.empty()) {
        const std::string name = take_reference(pointer);
        const node* next = nullptr;
        if (here->what == node::kind::table) {
            next = const_cast<node*>(here)->find(name);
        } else if (here->what == node::kind::list) {
            std::size_t index = 0;
            std::from_chars(name.data(), name.data() + name.size(), index);
            if (index < here->members.size()) next = &here->members[index];
        }
        if (!next) break;
        here = next;
    }
    return *here;
}

}  // namespace apus::configuration
