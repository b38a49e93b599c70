// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/json/number.hpp"
#include "codec/json/scan.hpp"
#include "codec/json/fast_path.hpp"
#include "schema/fault.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace apus::codec::json {

/// The last part of a value's path in a document: a member name or a list index.
/// Places are on the parser's stack, and refer to their parents.
struct place {
    const place* up = nullptr;
    std::string_view name = {};
    std::size_t index = 0;
    bool in_list = false;

    std::string pointer() const;  ///< The path as a JSON Pointer (RFC 6901).
};

constexpr unsigned max_depth = 64;  ///< Maximum nesting of lists and objects.

/// Options for parsing a document, and the result.
struct report {
    bool ignores_unknown = false;  ///< Skips unknown members of all structs.
    bool null_keeps = false;       ///< Null does not change a field that may be missing.

    bool malformed = false;  ///< The text is invalid JSON; `list` then contains only the reason.
    schema::fault_list list = {};

    bool fine() const noexcept { return !malformed && list.faults.empty(); }
};

/// A strict parser of RFC 8259: UTF-8, no lone surrogates, only white space around the value.
/// Functions that return bool return false for invalid JSON. The caller must then stop parsing; `out` has the reason.
class syntax {
public:
    /// `padding`: number of zero bytes after the text.
    syntax(std::string_view text, std::size_t padding, report& out) noexcept
        : begin_(text.data()),
          at_(text.data()),
          end_(text.data() + text.size()),
          readable_(end_ + padding),
          out_(&out) {}

    void space() noexcept { at_ = skip_space(at_, end_); }
    /// Returns the next byte; at the end of the text, NUL, which does not begin a token.
    char next() const noexcept { return at_ != end_ ? *at_ : '\0'; }
    const char* at() const noexcept { return at_; }

    /// Reads a string.
    /// The next byte must be the opening quote. `text` is valid until the next string is read.
    bool text(std::string_view& text, const place& here) {
        const char* const begin = ++at_;
        at_ = skip_text(at_, end_);
        if (at_ != end_ && *at_ == '"') [[likely]] {
            text = {begin, static_cast<std::size_t>(at_++ - begin)};
            return true;
        }
        return rest_of_text(begin, text, here);
    }

    bool number(number_text& number, const place& here) {
        const char* expected = read_number(at_, end_, number);
        return expected == nullptr || malformed(expected, here);
    }

    /// Reads `true`, `false` or `null`.
    bool literal(std::string_view word, const place& here) {
        for (char c : word) {
            if (next() != c) return malformed(word, here);
            ++at_;
        }
        return true;
    }

    /// Reads the name of a member, its colon and the white space around the colon.
    bool name(std::string_view& text, const place& here) {
        if (next() != '"') return malformed("a name in quotes", here);
        return this->text(text, here) && colon(here);
    }
    [[gnu::always_inline]] bool colon(const place& here) {
        space();
        if (next() != ':') return malformed("':' after a name", here);
        ++at_;
        space();
        return true;
    }

    /// Enters a list or object.
    /// The next byte must be its opening bracket. Sets `empty` to whether it has no elements.
    [[gnu::always_inline]] bool enter(char closing, bool& empty, const place& here) {
        if (depth_left_ == 0) return too_deep(here);
        at_ = before(--depth_left_).pass(at_ + 1, readable_);
        empty = next() == closing;
        if (empty) leave();
        return true;
    }
    /// Call it after a value.
    /// If another value follows, sets `another` to true, and moves to the first byte of that value.
    [[gnu::always_inline]] bool more(char closing, bool& another, const place& here) {
        if (next() != ',') at_ = before(depth_left_ + 1).pass(at_, readable_);
        const char c = next();
        if (c == ',') [[likely]] {
            at_ = before(depth_left_).pass(at_ + 1, readable_);
            another = true;
            return true;
        }
        if (c != closing) return malformed(closing == ']' ? "',' or ']'" : "',' or '}'", here);
        another = false;
        leave();
        return true;
    }

    /// Like `more`, after a value that ends at `end`.
    /// Returns the new position, or null for invalid JSON.
    [[gnu::always_inline]] const char* behind_value(const char* end, char closing, indentation& inner, bool& another,
                                                    const place& here) {
        if (readable_ - end > indentation::reach && *end == ',') [[likely]]
            return inner.pass(end + 1, readable_);
        at_ = end;
        return more(closing, another, here) ? at_ : nullptr;
    }

    bool skip(const place& here);

    /// Checks that only white space remains.
    bool ended(const place& here) {
        space();
        return at_ == end_ || malformed("the end of the text", here);
    }

    bool malformed(std::string_view expected, const place& here);

protected:
    /// Returns the white space that precedes members and items at a depth.
    indentation& before(unsigned depth_left) noexcept { return indentations_[depth_left % 8]; }
    void leave() noexcept {
        ++at_;
        ++depth_left_;
    }
    bool rest_of_text(const char* begin, std::string_view& text, const place& here);
    bool escape(const place& here);
    bool code_unit(unsigned& unit, const place& here);
    bool too_deep(const place& here);
    bool skip_list(const place& here);
    bool skip_object(const place& here);

    const char* begin_;
    const char* at_;
    const char* end_;
    const char* readable_;  // end of the readable memory
    unsigned depth_left_ = max_depth;
    indentation indentations_[8];  // indexed by the low bits of the remaining depth
    report* out_;
    std::string decoded_;  // the last string, if it has escapes
};

}  // namespace apus::codec::json
