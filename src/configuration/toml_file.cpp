// SPDX-License-Identifier: Apache-2.0
#include "configuration/toml_file.hpp"

#include "base/toml_flaw.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

// In toml++ 3.3, files such as "[=]" violate an assertion of parse_key, although the lines after the assertion report
// an error for such files. With NDEBUG, the optimizer assumes that the assertion is true.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
// The implementation is compiled into this file, so that programs need no toml++ library.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 1
#include <toml++/toml.h>

namespace apus::configuration {
namespace {

origin origin_of(const toml::source_region& at, const std::string& file) {
    return {source::file, file, at.begin.line, at.begin.column};
}

// Returns a time or date as in RFC 3339, the format that the types of times and dates parse.
template <class T>
std::string printed_time(const T& value) {
    std::ostringstream out;
    out << value;
    return std::move(out).str();
}

node number_node(double value, const origin& at) {
    char digits[32];
    const std::string text(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    return {.what = std::isfinite(value) ? node::kind::json : node::kind::text, .text = text, .at = at};
}

node node_of_toml(const toml::node& value, const origin& at) {
    const auto leaf = [&](node::kind what, std::string text) {
        return node{.what = what, .text = std::move(text), .at = at};
    };
    if (const toml::table* table = value.as_table()) {
        node made{.at = at};
        for (const auto& [key, each] : *table) {
            // toml++ rejects duplicate keys, so members are appended without a search.
            made.members.push_back(node_of_toml(each, origin_of(key.source(), at.name)));
            made.members.back().name = key.str();
        }
        // toml++ orders keys by name; errors are reported in the order of the file.
        std::ranges::sort(made.members, {}, [](const node& each) { return std::pair(each.at.line, each.at.column); });
        return made;
    }
    if (const toml::array* list = value.as_array()) {
        node made{.what = node::kind::list, .at = at};
        for (const toml::node& each : *list)
            made.members.push_back(node_of_toml(each, origin_of(each.source(), at.name)));
        return made;
    }
    if (const auto* text = value.as_string()) return leaf(node::kind::text, text->get());
    if (const auto* integer = value.as_integer()) return leaf(node::kind::json, std::to_string(integer->get()));
    if (const auto* number = value.as_floating_point()) return number_node(number->get(), at);
    if (const auto* flag = value.as_boolean()) return leaf(node::kind::json, flag->get() ? "true" : "false");
    if (const auto* date = value.as_date()) return leaf(node::kind::text, printed_time(date->get()));
    if (const auto* time = value.as_time()) return leaf(node::kind::text, printed_time(time->get()));
    return leaf(node::kind::text, printed_time(value.as_date_time()->get()));
}

// Messages of toml++ quote the text around an error, which may be a part of a secret.
std::string without_quotations(std::string_view message) {
    std::string text;
    for (bool quoted = false; const char c : message) {
        if (c == '\'') {
            text += quoted ? "...'" : "'";
            quoted = !quoted;
        } else if (!quoted) {
            text += c == '\n' ? ' ' : c;
        }
    }
    return text;
}

}  // namespace

std::expected<node, std::string> read_toml(std::string_view text, const std::string& file) {
    if (const base::toml_flaw flaw = base::find_flaw(text); flaw.line != 0)
        return std::unexpected(file + ":" + std::to_string(flaw.line) + ": " + std::string(flaw.what));
    const toml::parse_result parsed = toml::parse(text, file);
    if (parsed) return node_of_toml(parsed.table(), {source::file, file});
    const toml::parse_error& why = parsed.error();
    return std::unexpected(file + ":" + std::to_string(why.source().begin.line) + ":" +
                           std::to_string(why.source().begin.column) + ": " + without_quotations(why.description()));
}

}  // namespace apus::configuration
