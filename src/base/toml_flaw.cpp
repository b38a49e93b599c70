// SPDX-License-Identifier: Apache-2.0
#include "base/toml_flaw.hpp"

#include <algorithm>

namespace apus::base {
namespace {

/// Skips strings and comments, in which brackets and dots have no meaning.
class toml_scanner {
public:
    explicit toml_scanner(std::string_view text) noexcept : text_(text) {}

    unsigned line() const noexcept { return line_; }

    /// Returns the next byte outside of strings and comments; -1 at the end.
    int next() noexcept {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (c == '"' || c == '\'') {
                skip_string(c);
            } else {
                ++at_;
                line_ += c == '\n';
                return static_cast<unsigned char>(c);
            }
        }
        return -1;
    }

private:
    bool closes(std::string_view end) const noexcept { return text_.substr(at_).starts_with(end); }

    void skip_string(char quote) noexcept {
        const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
        const bool long_string = closes(three);
        const std::string_view end = long_string ? three : three.substr(0, 1);
        at_ += end.size();
        while (at_ < text_.size() && !closes(end)) {
            if (text_[at_] == '\n' && !long_string) return;  // invalid: toml++ reports this
            if (text_[at_] == '\\' && quote == '"') ++at_;
            line_ += at_ < text_.size() && text_[at_] == '\n';
            ++at_;
        }
        at_ += end.size();
        // Up to two quotes may precede the closing quotes.
        for (int more = 0; long_string && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    unsigned line_ = 1;
};

}  // namespace

toml_flaw find_flaw(std::string_view toml) noexcept {
    if (toml.starts_with("\xef\xbb\xbf")) toml.remove_prefix(3);
    toml_scanner scanner(toml);
    unsigned outer[max_nesting + 1] = {};  // for each open bracket, the nesting before the bracket
    static_assert(max_nesting == 24, "the message names it");
    unsigned open = 0, depth = 0;
    for (int c = scanner.next(); c >= 0; c = scanner.next()) {
        const bool is_blank = c == '\t' || c == '\n' || c == '\r';
        if ((c < ' ' && !is_blank) || c >= 0x7f)
            return {scanner.line(), "a character that may only be in a string or a comment"};
        switch (c) {
            case '[':
            case '{': outer[open++] = depth++; break;
            case ']':
            case '}':
                if (open > 0) depth = outer[--open];
                break;
            case ',': depth = open > 0 ? outer[open - 1] + 1 : 0; break;
            case '\n':
                if (open == 0) depth = 0;
                break;
            case '.': ++depth; break;
            default: break;
        }
        if (depth > max_nesting) return {scanner.line(), "nested deeper than 24 levels"};
    }
    return {};
}

}  // namespace apus::base
