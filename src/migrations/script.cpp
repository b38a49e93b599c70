// SPDX-License-Identifier: Apache-2.0
#include "migrations/script.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <utility>

namespace apus::migrations {

namespace {

constexpr auto npos = std::string_view::npos;

bool begins_word(char c) { return base::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool in_word(char c) { return begins_word(c) || base::is_digit(c) || c == '$'; }

class splitter {
public:
    splitter(std::string_view script, dialect of) : script_(script), of_(of) {}

    std::vector<script_statement> run() {
        while (at_ < script_.size()) step();
        finish(script_.size());
        return std::move(found_);
    }

private:
    char here(std::size_t ahead = 0) const { return at_ + ahead < script_.size() ? script_[at_ + ahead] : '\0'; }

    void step() {
        const char c = here();
        if (c == '-' && here(1) == '-') return skip_to(script_.find('\n', at_), 0);
        if (c == '/' && here(1) == '*') return comment();
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') return skip(1);
        if (c == ';' && parentheses_ == 0 && blocks_ == 0) {
            finish(at_);
            return skip(1);
        }
        if (begin_ == npos) begin_ = at_;
        if (c == '\'') return quoted('\'', false);
        if (c == '"' || (c == '`' && of_ == dialect::sqlite)) return quoted(c, false);
        if (c == '[' && of_ == dialect::sqlite) return skip_to(script_.find(']', at_), 1);
        if (c == '$' && of_ == dialect::postgres && dollar_text()) return;
        if (begins_word(c)) return word();
        if (c == '(') ++parentheses_;
        if (c == ')' && parentheses_ > 0) --parentheses_;
        skip(1);
    }

    void skip(std::size_t bytes) { skip_to(at_ + bytes, 0); }
    void skip_to(std::size_t to, std::size_t more) {
        at_ = to == npos ? script_.size() : std::min(to + more, script_.size());
    }

    void comment() {
        std::size_t depth = 0;
        do {
            if (here() == '/' && here(1) == '*' && (depth == 0 || of_ == dialect::postgres)) ++depth, skip(2);
            else if (here() == '*' && here(1) == '/') --depth, skip(2);
            else skip(1);
        } while (depth > 0 && at_ < script_.size());
    }

    // A doubled quote needs no special case: it ends one string and begins the next.
    void quoted(char quote, bool backslashes) {
        skip(1);
        while (at_ < script_.size() && here() != quote) skip(backslashes && here() == '\\' ? 2 : 1);
        skip(1);
    }

    // $$...$$ and $tag$...$tag$, but not the parameter $1.
    bool dollar_text() {
        std::size_t end = at_ + 1;
        if (end < script_.size() && base::is_digit(script_[end])) return false;
        while (end < script_.size() && script_[end] != '$' && in_word(script_[end])) ++end;
        if (end == script_.size() || script_[end] != '$') return false;
        const std::string_view tag = script_.substr(at_, end + 1 - at_);
        skip_to(script_.find(tag, end + 1), tag.size());
        return true;
    }

    void word() {
        std::size_t end = at_;
        while (end < script_.size() && in_word(script_[end])) ++end;
        const std::string_view found = script_.substr(at_, end - at_);
        at_ = end;
        if (here() == '\'' && of_ == dialect::postgres && base::same_word(found, "e")) return quoted('\'', true);
        if (++words_ == 1) creates_ = base::same_word(found, "create");
        else if (words_ <= 5 && creates_)
            has_body_ = has_body_ || base::same_word(found, of_ == dialect::sqlite ? "trigger" : "function") ||
                        (of_ == dialect::postgres && base::same_word(found, "procedure"));
        if (!has_body_ || parentheses_ > 0) return;
        if (base::same_word(found, "begin") || (blocks_ > 0 && base::same_word(found, "case"))) ++blocks_;
        else if (blocks_ > 0 && base::same_word(found, "end")) --blocks_;
    }

    void finish(std::size_t end) {
        if (begin_ != npos) {
            lines_ += static_cast<std::size_t>(std::ranges::count(script_.substr(counted_, begin_ - counted_), '\n'));
            counted_ = begin_;
            found_.push_back({script_.substr(begin_, end - begin_), lines_});
        }
        begin_ = npos;
        words_ = 0;
        parentheses_ = blocks_ = 0;
        creates_ = has_body_ = false;
    }

    std::string_view script_;
    dialect of_;
    std::vector<script_statement> found_{};
    std::size_t at_ = 0, begin_ = npos, counted_ = 0, lines_ = 1;
    std::size_t words_ = 0, parentheses_ = 0, blocks_ = 0;
    bool creates_ = false, has_body_ = false;
};

}  // namespace

std::vector<script_statement> split_script(std::string_view script, dialect of) { return splitter(script, of).run(); }

bool controls_transaction(std::string_view statement) noexcept {
    const auto end = std::ranges::find_if_not(statement, begins_word);
    const std::string_view first = statement.substr(0, static_cast<std::size_t>(end - statement.begin()));
    constexpr std::string_view words[] = {"begin", "commit", "end", "rollback", "abort", "start"};
    if (!std::ranges::any_of(words, [&](std::string_view each) { return base::same_word(first, each); })) return false;
    if (!base::same_word(first, "rollback")) return true;
    // `rollback to savepoint` does not end the transaction
    for (std::size_t i = first.size(); i + 1 < statement.size(); ++i)
        if (begins_word(statement[i])) return !base::same_word(statement.substr(i, 2), "to");
    return true;
}

}  // namespace apus::migrations
