// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/json/number.hpp"
#include "codec/json/scan.hpp"
#include "codec/json/usual.hpp"
#include "schema/fault.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace apus::codec::json {

/// Where in a document a value stands: under a name, or in a list. Lies on the stack of who reads it.
struct place {
    const place* up = nullptr;
    std::string_view name = {};
    std::size_t index = 0;
    bool in_list = false;

    std::string pointer() const;  ///< RFC 6901.
};

constexpr unsigned max_depth = 64;  ///< Lists and objects in each other, at most.

/// What came of a document.
struct report {
    bool malformed = false;  ///< It is no JSON; `list` then holds the one fault.
    schema::fault_list list;

    bool fine() const noexcept { return !malformed && list.faults.empty(); }
};

/// Reads the grammar of RFC 8259 off a text, strictly: UTF-8, no lone surrogates, nothing but white
/// space around the value. Each function that gives a bool gives false when the text is no JSON;
/// `out` then says why, and nothing more is read.
class syntax {
public:
    /// Behind the text, `padding` bytes are zeros.
    syntax(std::string_view text, std::size_t padding, report& out) noexcept
        : begin_(text.data()),
          at_(text.data()),
          end_(text.data() + text.size()),
          readable_(end_ + padding),
          out_(&out) {}

    void space() noexcept { at_ = skip_space(at_, end_); }
    /// The next byte; NUL, which begins nothing, at the end.
    char next() const noexcept { return at_ != end_ ? *at_ : '\0'; }
    const char* at() const noexcept { return at_; }

    /// Reads a text; the opening quote is next. `text` is valid until the next text is read.
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

    /// Reads the name of a member, its colon and the space around it; a quote should be next.
    bool name(std::string_view& text, const place& here) {
        if (next() != '"') return malformed("a name in quotes", here);
        return this->text(text, here) && colon(here);
    }
    [[gnu::always_inline]] bool colon(const place& here) {
        space();
        if (next() != ':') return malformed("':' behind a name", here);
        ++at_;
        space();
        return true;
    }

    /// Enters a list or an object, whose bracket is next. `empty`: it ends at once.
    [[gnu::always_inline]] bool enter(char closing, bool& empty, const place& here) {
        if (depth_left_ == 0) return too_deep(here);
        at_ = before(--depth_left_).pass(at_ + 1, readable_);
        empty = next() == closing;
        if (empty) leave();
        return true;
    }
    /// Behind a value: whether another follows, at whose first byte this stands then.
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

    /// The same for a value that ends at `end`: gives where this stands then, or null for false.
    [[gnu::always_inline]] const char* behind_value(const char* end, char closing, indentation& inner, bool& another,
                                                    const place& here) {
        if (readable_ - end > indentation::reach && *end == ',') [[likely]]
            return inner.pass(end + 1, readable_);
        at_ = end;
        return more(closing, another, here) ? at_ : nullptr;
    }

    /// Passes over any value.
    bool skip(const place& here);

    /// The whole text has been read but for white space.
    bool ended(const place& here) {
        space();
        return at_ == end_ || malformed("nothing more", here);
    }

    bool malformed(std::string_view expected, const place& here);

protected:
    /// Before the members and items of a depth.
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
    const char* readable_;  // the end of what may be read
    unsigned depth_left_ = max_depth;
    indentation indentations_[8];  // by the last bits of the depth that is left
    report* out_;
    std::string decoded_;  // the text read last, if it had escapes
};

}  // namespace apus::codec::json
