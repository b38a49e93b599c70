// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest/editor.hpp"

#include <algorithm>
#include <vector>

#include "base/ascii.hpp"
#include "cli/errors/failure.hpp"

namespace apus::cli::manifest {

namespace {

// A table header, or a key with its value, which may span lines. Offsets into the text.
struct statement {
    std::size_t begin, end;              // range of the whole lines
    std::size_t value_begin, value_end;  // range of the value, without blanks and comment
    std::string name;                    // "[dependencies]", "fmt"
};

// Finds the statements of a document. Does not detect errors, since the document has already been parsed.
class reader {
public:
    explicit reader(std::string_view text) : text_(text) {}

    std::vector<statement> all() {
        std::vector<statement> found;
        while (at_ < text_.size()) {
            const std::size_t begin = at_;
            while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
            if (at_ == text_.size() || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '#') {
                skip_line();
                continue;
            }
            statement one{begin, 0, 0, 0, {}};
            const std::size_t name = at_;
            if (text_[at_] == '[') {
                one.name = without_blanks(text_.substr(name, value_until("\n#") - name));
            } else {
                one.name = without_blanks(text_.substr(name, value_until("=") - name));
                ++at_;
                while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
                one.value_begin = at_;
                one.value_end = value_until("\n#");
                while (one.value_end > one.value_begin &&
                       (base::is_blank(text_[one.value_end - 1]) || text_[one.value_end - 1] == '\r'))
                    --one.value_end;
            }
            skip_line();
            one.end = at_;
            found.push_back(std::move(one));
        }
        return found;
    }

private:
    void skip_line() {
        at_ = std::min(text_.size(), text_.find('\n', at_) + (text_.find('\n', at_) == text_.npos ? 0 : 1));
    }

    // Advances to the first character of `ends` outside strings, arrays and inline tables. Returns its offset.
    std::size_t value_until(std::string_view ends) {
        int depth = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (depth == 0 && ends.find(c) != ends.npos) break;
            if (c == '"' || c == '\'') skip_string(c);
            else if (c == '[' || c == '{') ++depth;
            else if (c == ']' || c == '}') --depth;
            else if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
        }
        return at_ = std::min(at_, text_.size());
    }

    // Advances to the closing quote of a string.
    void skip_string(char quote) {
        const std::string three(3, quote);
        const bool several_lines = text_.substr(at_).starts_with(three);
        const std::string_view close = several_lines ? std::string_view(three) : std::string_view(three).substr(0, 1);
        for (at_ += close.size(); at_ < text_.size() && !text_.substr(at_).starts_with(close); ++at_)
            if (quote == '"' && text_[at_] == '\\') ++at_;
        // A multi-line string may contain one or two quotes before its end: """said "no"""" is one string.
        for (int own = 0;
             several_lines && own < 2 && at_ + close.size() < text_.size() && text_[at_ + close.size()] == quote; ++own)
            ++at_;
        at_ += close.size() - 1;
    }

    static std::string without_blanks(std::string_view text) {
        std::string made;
        for (const char c : text)
            if (!base::is_blank(c) && c != '"' && c != '\'' && c != '\r') made += c;
        return made;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// The statements of a table, and the position at which new lines are inserted.
struct region {
    std::vector<statement> pairs{};
    std::size_t end = 0;
    bool found = false;
};

region find_table(std::string_view text, std::string_view table, std::string_view key) {
    const std::string header = "[" + std::string(table) + "]", own = "[" + std::string(table) + "." + std::string(key);
    region made;
    bool inside = false, at_root = true;
    for (statement& each : reader(text).all()) {
        if (each.name.starts_with('[')) {
            if (each.name.starts_with(own + "]") || each.name.starts_with(own + "."))
                throw errors::failure("E0209",
                                      "`" + std::string(key) + "` has its own table in apus.toml, " + each.name,
                                      "edit it by hand");
            inside = each.name == header, at_root = false;
            if (inside) made.found = true, made.end = each.end;
        } else if (at_root && (each.name == table || each.name.starts_with(std::string(table) + "."))) {
            throw errors::failure("E0209",
                                  "`" + std::string(table) + "` is not written as a table, `[" + std::string(table) +
                                      "]`, in apus.toml: `" + each.name + "`",
                                  "edit it by hand");
        } else if (inside) {
            if (each.name.starts_with(std::string(key) + "."))
                throw errors::failure("E0209",
                                      "`" + std::string(key) + "` is a dotted key in apus.toml: `" + each.name + "`",
                                      "edit it by hand");
            made.end = each.end;
            made.pairs.push_back(std::move(each));
        }
    }
    return made;
}

std::string written_key(std::string_view key) {
    const bool bare = std::ranges::all_of(
        key, [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-'; });
    return bare ? std::string(key) : "\"" + std::string(key) + "\"";
}

const statement* pair_of(const region& in, std::string_view key) {
    const auto at = std::ranges::find(in.pairs, key, &statement::name);
    return at == in.pairs.end() ? nullptr : &*at;
}

}  // namespace

std::string set_key(std::string_view text, std::string_view table, std::string_view key, std::string_view value) {
    const region in = find_table(text, table, key);
    std::string made(text);
    if (const statement* old = pair_of(in, key))
        return made.replace(old->value_begin, old->value_end - old->value_begin, value);
    const std::string line = written_key(key) + " = " + std::string(value) + "\n";
    const std::size_t end = in.found ? in.end : made.size();
    const std::string break_before = end > 0 && made[end - 1] != '\n' ? "\n" : "";
    if (in.found) return made.insert(end, break_before + line);
    return made + break_before + (made.empty() ? "[" : "\n[") + std::string(table) + "]\n" + line;
}

std::string remove_key(std::string_view text, std::string_view table, std::string_view key) {
    const region in = find_table(text, table, key);
    std::string made(text);
    if (const statement* old = pair_of(in, key)) made.erase(old->begin, old->end - old->begin);
    return made;
}

}  // namespace apus::cli::manifest
