// SPDX-License-Identifier: Apache-2.0
#include "markup/tag.hpp"

#include <algorithm>

namespace apus::markup {
namespace {

constexpr std::string_view spaces = " \t\r\n";

constexpr std::string_view keywords[] = {"if", "not", "else", "end", "for", "in", "include", "layout", "block"};

bool is_name(std::string_view word) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !word.empty() && letter(word[0]) &&
           std::all_of(word.begin(), word.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string_view without_front_space(std::string_view text) {
    const auto at = text.find_first_not_of(spaces);
    return at == text.npos ? std::string_view() : text.substr(at);
}

unsigned lines_in(std::string_view text) { return static_cast<unsigned>(std::count(text.begin(), text.end(), '\n')); }

// Returns the start of the blanks before a tag, if nothing else precedes the tag on its line.
std::size_t blanks_before(std::string_view all, std::size_t tag) {
    std::size_t from = tag;
    while (from && (all[from - 1] == ' ' || all[from - 1] == '\t')) --from;
    return from == 0 || all[from - 1] == '\n' ? tag - from : 0;
}

// Returns the start of the line after a tag, if nothing follows the tag on its line; otherwise `after`.
std::size_t line_after(std::string_view all, std::size_t tag, std::size_t after) {
    const std::size_t blanks = blanks_before(all, tag);
    if (!blanks && tag && all[tag - 1] != '\n') return after;
    std::size_t to = after;
    while (to < all.size() && (all[to] == ' ' || all[to] == '\t' || all[to] == '\r')) ++to;
    if (to == all.size()) return to;
    return all[to] == '\n' ? to + 1 : after;
}

bool writes(std::string_view inside) {
    inside = without_front_space(inside);
    if (inside.starts_with('!')) return false;
    const std::string_view word = inside.substr(0, inside.find_first_of(spaces));
    return std::find(std::begin(keywords), std::end(keywords), word) == std::end(keywords);
}

// Returns the position after the `}}` of the tag at `from`; npos if missing. Quoted text may contain braces.
std::size_t end_of_tag(std::string_view all, std::size_t from) {
    const bool comment = without_front_space(all.substr(from + 2)).starts_with('!');
    bool quoted = false;
    for (std::size_t at = from + 2; at < all.size(); ++at) {
        if (all[at] == '"' && !comment) quoted = !quoted;
        if (!quoted && all.substr(at).starts_with("}}")) return at + 2;
    }
    return all.npos;
}

}  // namespace

tag tag_reader::next() {
    if (at_ == all_.size()) return {.what = tag::is::end_of_file, .line = line_, .keyword = "end of file"};
    const std::size_t open = std::min(all_.find("{{", at_), all_.size());
    if (open == at_) return read_tag();
    std::size_t end = open;
    if (open < all_.size()) {
        const std::size_t close = end_of_tag(all_, open);
        if (close != all_.npos && !writes(all_.substr(open + 2, close - open - 4)) &&
            line_after(all_, open, close) != close)
            end = std::max(at_, open - blanks_before(all_, open));
    }
    const tag text{.what = tag::is::text, .line = line_, .keyword = all_.substr(at_, end - at_)};
    line_ += lines_in(text.keyword);
    at_ = open;
    return text.keyword.empty() ? read_tag() : text;
}

tag tag_reader::read_tag() {
    const std::size_t close = end_of_tag(all_, at_);
    if (close == all_.npos) refuse("\"{{\" without \"}}\"; to show braces, write {{\"{{\"}}");
    const std::string_view inside = all_.substr(at_ + 2, close - at_ - 4);
    tag made{.line = line_};
    read_words(made, without_front_space(inside));
    const std::size_t after = writes(inside) ? close : line_after(all_, at_, close);
    line_ += lines_in(all_.substr(at_, after - at_));
    at_ = after;
    return made;
}

void tag_reader::read_words(tag& into, std::string_view rest) {
    if (rest.starts_with('!')) return void(into.what = tag::is::comment);
    if (rest.empty()) refuse("empty tag: expected a name or a keyword");
    std::string_view after = rest;
    into.keyword = read_word(after);
    if (!writes(into.keyword)) rest = after;
    if (into.keyword == "end") into.what = tag::is::end;
    else if (into.keyword == "else" && rest.empty()) into.what = tag::is::otherwise;
    else if (into.keyword == "if" || into.keyword == "else") {
        into.what = into.keyword == "if" ? tag::is::branch : tag::is::otherwise_if;
        if (into.what == tag::is::otherwise_if && read_word(rest) != "if")
            refuse("expected \"if\" or the end of the tag after \"else\"");
        after = rest;
        if (read_word(after) == "not") into.negated = true, rest = after;
        into.value = read_operand(rest);
    } else if (into.keyword == "for") {
        into.what = tag::is::loop;
        into.name = read_word(rest);
        if (!is_name(into.name) || into.name == "loop" || read_word(rest) != "in")
            refuse("malformed loop: write {{for name in list}}");
        into.value = read_operand(rest);
    } else if (into.keyword == "include" || into.keyword == "layout") {
        into.what = into.keyword == "include" ? tag::is::include : tag::is::layout;
        into.name = read_quoted(rest);
        while (into.what == tag::is::include && !rest.empty()) read_argument(into, rest);
    } else if (into.keyword == "block") {
        into.what = tag::is::block;
        into.name = read_word(rest);
        if (!is_name(into.name)) refuse("malformed block: write {{block name}}");
    } else if (!writes(into.keyword)) refuse("\"" + std::string(into.keyword) + "\" is an unknown keyword");
    else {
        into.what = tag::is::value;
        into.value = read_operand(rest);
    }
    if (!rest.empty())
        refuse("\"" + std::string(rest.substr(0, 40)) +
               "\" is unexpected: operators, filters and calls are not supported; compute the value in the model");
}

void tag_reader::read_argument(tag& into, std::string_view& rest) {
    const std::size_t equals = std::min(rest.find('='), rest.size());
    const std::string_view name = rest.substr(0, equals);
    if (!is_name(name) || name == "loop" || equals == rest.size()) refuse("malformed argument: write name=value");
    rest = rest.substr(equals + 1);
    into.arguments.push_back({name, read_operand(rest)});
}

operand tag_reader::read_operand(std::string_view& rest) {
    operand made;
    if (rest.starts_with('"')) {
        made.text = read_quoted(rest);
        return made;
    }
    std::string_view word = read_word(rest);
    const std::string whole(word.substr(0, 60));
    for (;;) {
        const std::size_t dot = word.find('.');
        const std::string_view name = word.substr(0, dot);
        if (!is_name(name))
            refuse("\"" + whole +
                   "\" is not a value: expected a name, names separated by dots, or a text in double quotes");
        made.path.push_back(name);
        if (made.path.size() > deepest_nesting)
            refuse("the value has more than " + std::to_string(deepest_nesting) + " names");
        if (dot == word.npos) return made;
        word = word.substr(dot + 1);
    }
}

std::string_view tag_reader::read_word(std::string_view& rest) {
    const std::string_view word = rest.substr(0, rest.find_first_of(spaces));
    rest = without_front_space(rest.substr(word.size()));
    return word;
}

std::string_view tag_reader::read_quoted(std::string_view& rest) {
    const std::size_t end = rest.starts_with('"') ? rest.find('"', 1) : rest.npos;
    if (end == rest.npos) refuse("expected a text in double quotes");
    const std::string_view text = rest.substr(1, end - 1);
    rest = without_front_space(rest.substr(end + 1));
    return text;
}

}  // namespace apus::markup
