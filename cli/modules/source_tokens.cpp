// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/source_tokens.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/ascii.hpp"

namespace apus::cli::modules {

namespace {

using is = source_token::is;

bool in_name(char c) {
    return base::is_letter(c) || base::is_digit(c) || c == '_' || static_cast<unsigned char>(c) > 127;
}

class reader {
public:
    explicit reader(std::string_view source) : all_(source) {}

    std::vector<source_token> read() {
        while (at_ < all_.size()) step();
        return std::move(words_);
    }

private:
    std::string_view left() const { return all_.substr(at_); }

    void skip(std::size_t count) {
        const std::string_view passed = left().substr(0, count);
        line_ += static_cast<std::size_t>(std::ranges::count(passed, '\n'));
        at_ += passed.size();
    }

    void add(is kind, std::string_view text) { words_.push_back({kind, text, line_}); }

    // Skips to the position after the next `end`, or to the end of the source.
    void skip_past(std::string_view end) {
        const std::size_t found = left().find(end);
        skip(found == std::string_view::npos ? all_.size() - at_ : found + end.size());
    }

    void step() {
        const char c = all_[at_];
        if (left().starts_with("//")) skip_past("\n"), begins_line_ = true;
        else if (left().starts_with("/*")) skip(2), skip_past("*/");
        else if (c == '\n') skip(1), begins_line_ = true;
        else if (c == ' ' || c == '\t' || c == '\r') skip(1);
        else if (c == '#' && begins_line_) directive();
        else word(c);
    }

    void word(char c) {
        begins_line_ = false;
        if (c == '"') text(1, '"', true);
        else if (c == '\'') text(1, '\'', false);
        else if (left().starts_with("R\"")) raw_text();
        else if (in_name(c)) name();
        else add(is::mark, left().substr(0, 1)), skip(1);
    }

    // Parses a name or number. An apostrophe in a number, as in 1'000'000, does not begin a character literal.
    void name() {
        const bool number = base::is_digit(all_[at_]);
        std::size_t end = 1;
        while (at_ + end < all_.size() && (in_name(all_[at_ + end]) || (number && all_[at_ + end] == '\''))) ++end;
        const std::string_view found = left().substr(0, end);
        if (end < left().size() && left()[end] == '"' &&
            (found == "u8R" || found == "uR" || found == "UR" || found == "LR")) {
            skip(end - 1);
            return raw_text();
        }
        add(is::name, found);
        skip(end);
    }

    void text(std::size_t from, char quote, bool kept) {
        std::size_t end = from;
        while (end < left().size() && left()[end] != quote && left()[end] != '\n') end += left()[end] == '\\' ? 2 : 1;
        end = std::min(end, left().size());
        if (kept) add(is::literal, left().substr(from, end - from));
        skip(end + 1);
    }

    void raw_text() {
        const std::size_t open = left().substr(0, 19).find('(');  // a delimiter has at most 16 characters
        if (open == std::string_view::npos) return skip(2);
        const std::string close = ")" + std::string(left().substr(2, open - 2)) + "\"";
        const std::size_t end = std::min(left().find(close), left().size());
        add(is::literal, left().substr(open + 1, end > open ? end - open - 1 : 0));
        skip(end + close.size());
    }

    // Parses #include. Tokens of other directives are read like code.
    void directive() {
        begins_line_ = false;
        skip(1);
        skip_blanks();
        if (!left().starts_with("include")) return;
        skip(7);
        skip_blanks();
        const char open = left().empty() ? '\n' : left()[0];
        if (open != '<' && open != '"') return;
        const std::size_t end = left().find_first_of(open == '<' ? ">\n" : "\"\n", 1);
        if (end == std::string_view::npos || left()[end] == '\n') return;
        add(open == '<' ? is::inclusion : is::quoted_inclusion, left().substr(1, end - 1));
        skip(end + 1);
    }

    void skip_blanks() {
        while (!left().empty() && (left()[0] == ' ' || left()[0] == '\t')) skip(1);
    }

    std::string_view all_;
    std::size_t at_ = 0, line_ = 1;
    bool begins_line_ = true;
    std::vector<source_token> words_{};
};

}  // namespace

std::vector<source_token> tokens_of(std::string_view source) { return reader(source).read(); }

}  // namespace apus::cli::modules
