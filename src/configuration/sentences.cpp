// SPDX-License-Identifier: Apache-2.0
#include "configuration/sentences.hpp"

#include "base/ascii.hpp"
#include "base/nearest.hpp"
#include "schema/flat_values.hpp"

#include <algorithm>
#include <vector>

namespace apus::configuration {
namespace {

using schema::kind;

// Converts a JSON Pointer to the notation of messages: "mail.hosts[2]".
std::string path_of(std::string_view pointer, std::string_view path) {
    std::string made(path);
    while (!pointer.empty()) {
        const std::string name = take_reference(pointer);
        const bool is_index = !made.empty() && !name.empty() && std::ranges::all_of(name, base::is_digit);
        if (is_index) made += '[' + name + ']';
        else made += (made.empty() ? "" : ".") + name;
    }
    return made;
}

// Returns the type of the value at a pointer; null in variants and json_values.
const schema::type* type_at(const schema::type& whole, std::string_view pointer) {
    const schema::type* t = &whole;
    while (t) {
        if (t->what == kind::optional) {
            t = t->element;
            continue;
        }
        if (pointer.empty()) return t;
        const std::string name = take_reference(pointer);
        const schema::type* next = t->what == kind::list || t->what == kind::map ? t->element : nullptr;
        for (unsigned i = 0; i < t->field_count; ++i)
            if (t->fields[i].name == name) next = t->fields[i].of;
        t = next;
    }
    return nullptr;
}

std::string_view parent_of(std::string_view pointer) { return pointer.substr(0, pointer.rfind('/')); }

// Returns the message for an unknown key.
std::string unknown_key(const schema::fault& about, const sentence_context& in) {
    const std::string path = path_of(about.pointer, in.path);
    const schema::type* owner = type_at(in.object, parent_of(about.pointer));
    std::vector<std::string_view> known;
    for (unsigned i = 0; owner && i < owner->field_count; ++i) known.push_back(owner->fields[i].name);
    if (in.path.empty() && parent_of(about.pointer).empty()) known.push_back("server");
    std::string_view last = about.pointer;
    last.remove_prefix(parent_of(last).size());
    const std::string name = take_reference(last);
    const std::string_view near = name.size() > 128 ? std::string_view() : base::nearest(name, known);
    if (!near.empty()) return "unknown key `" + path + "`; did you mean `" + std::string(near) + "`?";
    return "unknown key `" + path + "`, expected " + about.expected;
}

std::string missing(const std::string& path, const setting* of, const sentence_context& in) {
    std::string text = "`" + path + "` is missing";
    if (!of) return text;
    text += ": set it ";
    if (!in.file.empty()) text += "in " + std::string(in.file) + ", ";
    text += "by " + of->variable + (of->from_files ? "_FILE" : "");
    return text + (of->option.empty() ? "" : " or by " + of->option);
}

void replace(std::string& text, std::string_view from, std::string_view to) {
    if (const std::size_t at = text.find(from); at != text.npos) text.replace(at, from.size(), to);
}

// Changes a description from JSON to TOML, which has tables instead of objects, and no null.
std::string in_words_of_toml(std::string text) {
    replace(text, ", or null", "");
    if (text.starts_with("an object")) replace(text, "an object", "a table");
    if (text.starts_with("a table of")) replace(text, "member", "key");
    return text;
}

}  // namespace

std::string place_of(const origin& at) {
    if (at.from != source::file) return at.name;
    return at.line ? at.name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) : at.name;
}

std::string without_passwords(std::string text) {
    constexpr std::string_view hidden = "***";
    for (std::size_t at = text.find("://"); at != text.npos; at = text.find("://", at + 1)) {
        const std::size_t begin = at + 3;
        const std::size_t end = text.find_first_of("/ \t\n\"?#", begin);
        const std::size_t sign = text.substr(0, end).rfind('@');
        const std::size_t colon = text.find(':', begin);
        if (sign == text.npos || sign < begin || colon == text.npos || colon > sign) continue;
        text.replace(colon + 1, sign - colon - 1, hidden);
    }
    return text;
}

std::string sentence(const schema::fault& about, const sentence_context& in) {
    const std::string path = path_of(about.pointer, in.path);
    const std::string pointer = (in.path.empty() ? "" : "/" + std::string(in.path)) + about.pointer;
    const auto of = std::ranges::find(in.settings, pointer, &setting::pointer);
    const setting* const known = of == in.settings.end() ? nullptr : &*of;
    const origin& at = deepest(in.tree, about.pointer).at;
    const bool in_file = at.from == source::file;
    const bool is_missing = about.found == "nothing";
    std::string begin = place_of(at);
    // The place is omitted for the top level of a file, which has no line, and for missing settings, which any source
    // could have set.
    if ((in_file && at.line == 0) || (is_missing && known)) begin.clear();
    if (!begin.empty() && (in_file || is_missing || about.found.empty())) begin += ": ";
    if (is_missing) return begin + missing(path, known, in);
    if (about.found == "an unknown field") return begin + unknown_key(about, in);
    const std::string subject = begin.empty() || in_file ? "`" + path + "` " : " ";
    if (about.found.empty()) return path.empty() ? begin + about.expected : begin + "`" + path + "`: " + about.expected;
    const std::string expected = in_words_of_toml(about.expected);
    if (about.found == schema::hidden) return begin + subject + "must be " + expected + "; the value is secret";
    return begin + subject + "must be " + expected + ", not " + without_passwords(in_words_of_toml(about.found));
}

}  // namespace apus::configuration
