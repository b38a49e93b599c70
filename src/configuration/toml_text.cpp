// SPDX-License-Identifier: Apache-2.0
#include "configuration/toml_text.hpp"

#include "base/ascii.hpp"
#include "configuration/node.hpp"
#include "configuration/sentences.hpp"
#include "schema/defaults.hpp"

#include <apus/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace apus::configuration {
namespace {

std::string quoted(std::string_view text) {
    std::string made = to_json(text);
    for (std::size_t at = made.find('\x7f'); at != made.npos; at = made.find('\x7f', at))
        made.replace(at, 1, "\\u007F");  // JSON allows it, TOML does not
    return made;
}

template <class Members, class F>
std::string enclosed(char begin, char end, const Members& members, F print) {
    std::string made(1, begin);
    for (const auto& each : members) {
        const std::string one = print(each);
        if (one.empty()) continue;
        if (made.size() > 1) made += ", ";
        made += one;
    }
    return made + end;
}

}  // namespace

std::string toml_text(const json_value& of) {
    switch (of.what()) {
        case json_value::kind::null: return {};
        case json_value::kind::text: return quoted(*of.get<std::string_view>());
        case json_value::kind::list: return enclosed('[', ']', of.items(), toml_text);
        case json_value::kind::object:
            return enclosed('{', '}', of.members(), [](const json_value::member& each) {
                const std::string value = toml_text(each.value);
                return value.empty() ? value : toml_key(each.name) + " = " + value;
            });
        default: return to_json(of);
    }
}

std::string toml_key(std::string_view name) {
    const bool is_bare = !name.empty() && std::ranges::all_of(name, [](char c) {
        return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-';
    });
    return is_bare ? std::string(name) : quoted(name);
}

std::string toml_keys(std::string_view pointer) {
    std::string keys;
    while (!pointer.empty()) keys += (keys.empty() ? "" : ".") + toml_key(take_reference(pointer));
    return keys;
}

std::string shown_value(const schema::type& t, const void* value) {
    if (schema::is_secret(t)) return schema::is_empty(t, value) && t.what != schema::kind::secret ? "" : "\"***\"";
    std::string json;
    try {
        detail::print_json(t, value, json);
    } catch (const std::exception&) {  // such as NaN
        return {};
    }
    const auto read = from_json<json_value>(json);
    return read ? without_passwords(toml_text(*read)) : std::string();
}

}  // namespace apus::configuration
