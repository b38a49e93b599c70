// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiles patterns to Glushkov automata at compile time (Glushkov, 1961). Each character position of the pattern is a
// state, with the set of states that may follow it. Matching takes one pass over the text.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apus::schema {

constexpr unsigned pattern_words = 3;
constexpr unsigned max_pattern_states = pattern_words * 64;

/// A set of states.
struct pattern_set {
    std::uint64_t words[pattern_words] = {};

    constexpr void add(unsigned state) { words[state / 64] |= std::uint64_t(1) << state % 64; }
    constexpr void add(const pattern_set& other) {
        for (unsigned i = 0; i < pattern_words; ++i) words[i] |= other.words[i];
    }
    constexpr bool has(unsigned state) const { return (words[state / 64] >> state % 64 & 1) != 0; }
};

struct pattern_state {
    std::uint64_t low = 0, high = 0;  ///< Bit sets of matched ASCII characters.
    bool others = false;              ///< Whether all other characters match.
    pattern_set next;

    constexpr void match(unsigned char c) { (c < 64 ? low : high) |= std::uint64_t(1) << c % 64; }
    constexpr bool matches(unsigned char c) const {
        return c < 128 ? ((c < 64 ? low : high) >> c % 64 & 1) != 0 : others;
    }
};

/// A compiled pattern. State 0 is the start state; it matches no character.
struct pattern_program {
    const pattern_state* states;
    pattern_set accepting;
};

}  // namespace apus::schema

namespace apus::detail {

/// Thrown for an invalid pattern; a compile error in constant evaluation.
struct bad_pattern {
    const char* why;
};

struct pattern_parts {
    schema::pattern_state states[schema::max_pattern_states];
    unsigned count = 1;
    schema::pattern_set accepting;
};

/// Parses a pattern and builds its automaton.
class pattern_compiler {
public:
    constexpr explicit pattern_compiler(std::string_view text) : text_(text) {}

    constexpr pattern_parts compile() {
        const piece whole = either();
        if (at_ < text_.size()) throw bad_pattern("a pattern has an unmatched ')'");
        made_.states[0].next = whole.first;
        made_.accepting = whole.last;
        if (whole.may_be_empty) made_.accepting.add(0);
        return made_;
    }

private:
    // A part of the pattern, described by its possible first and last states.
    struct piece {
        schema::pattern_set first, last;
        bool may_be_empty = true;
    };

    constexpr char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    constexpr void join(const schema::pattern_set& from, const schema::pattern_set& to) {
        for (unsigned i = 0; i < made_.count; ++i)
            if (from.has(i)) made_.states[i].next.add(to);
    }

    constexpr piece sequence(const piece& a, const piece& b) {
        join(a.last, b.first);
        piece both{a.first, b.last, a.may_be_empty && b.may_be_empty};
        if (a.may_be_empty) both.first.add(b.first);
        if (b.may_be_empty) both.last.add(a.last);
        return both;
    }

    constexpr piece either() {
        piece all = several();
        while (next() == '|') {
            ++at_;
            const piece other = several();
            all.first.add(other.first);
            all.last.add(other.last);
            all.may_be_empty = all.may_be_empty || other.may_be_empty;
        }
        return all;
    }

    constexpr piece several() {
        piece all;
        while (at_ < text_.size() && next() != '|' && next() != ')') all = sequence(all, repeated());
        return all;
    }

    constexpr piece repeated() {
        const std::size_t begin = at_;
        piece one = single();
        unsigned least = 1, greatest = 1;
        if (!repetition(least, greatest)) return one;
        const std::size_t behind = at_;
        piece all = greatest == 0 ? piece() : one;
        if (least == 0) all.may_be_empty = true;
        for (unsigned i = 1; i < (greatest == endless ? least : greatest); ++i) {
            at_ = begin;  // each repetition is parsed again, to get its own states
            piece more = single();
            if (i >= least) more.may_be_empty = true;
            if (i + 1 == least && greatest == endless) join(more.last, more.first);
            all = sequence(all, more);
        }
        if (greatest == endless && least < 2) join(one.last, one.first);
        at_ = behind;
        if (next() == '*' || next() == '+' || next() == '?' || next() == '{')
            throw bad_pattern("a pattern repeats a repetition: use parentheses");
        return all;
    }

    constexpr bool repetition(unsigned& least, unsigned& greatest) {
        const char c = next();
        if (c != '*' && c != '+' && c != '?' && c != '{') return false;
        ++at_;
        least = c == '+' ? 1 : 0;
        greatest = c == '?' ? 1 : endless;
        if (c != '{') return true;
        least = greatest = count();
        if (next() == ',') {
            ++at_;
            greatest = next() == '}' ? endless : count();
        }
        if (next() != '}') throw bad_pattern("a pattern has a repetition that is not of the form {3}, {2,} or {2,5}");
        ++at_;
        if (least > greatest) throw bad_pattern("a pattern has a repetition with its bounds in the wrong order");
        return true;
    }

    constexpr unsigned count() {
        if (next() < '0' || next() > '9')
            throw bad_pattern("a pattern has a repetition that is not of the form {3}, {2,} or {2,5}");
        unsigned value = 0;
        for (; next() >= '0' && next() <= '9'; ++at_) {
            value = value * 10 + static_cast<unsigned>(next() - '0');
            if (value > schema::max_pattern_states)
                throw bad_pattern("a pattern may have at most 191 positions, counting repetitions");
        }
        return value;
    }

    constexpr piece single() {
        const char c = text_[at_++];
        if (c == '(') {
            if (text_.substr(at_).starts_with("?:")) at_ += 2;
            const piece inside = either();
            if (next() != ')') throw bad_pattern("a pattern has an unmatched '('");
            ++at_;
            return inside;
        }
        if (made_.count == schema::max_pattern_states)
            throw bad_pattern("a pattern may have at most 191 positions, counting repetitions");
        const unsigned state = made_.count++;
        made_.states[state] = {};
        characters(c, made_.states[state]);
        piece made;
        made.first.add(state);
        made.last.add(state);
        made.may_be_empty = false;
        return made;
    }

    constexpr void characters(char c, schema::pattern_state& to) {
        if (c == '*' || c == '+' || c == '?' || c == '{')
            throw bad_pattern("a pattern must have a character or a group before a repetition");
        if (c == '^' || c == '$')
            throw bad_pattern("a pattern must not contain '^' or '$': it always matches the whole text");
        if (c == '.') to.low = to.high = ~std::uint64_t(0), to.others = true;
        else if (c == '[') set(to);
        else if (c == '\\') escaped(to);
        else plain(c, to);
    }

    constexpr void plain(char c, schema::pattern_state& to) {
        if (static_cast<unsigned char>(c) > 126 || c < ' ') throw bad_pattern("a pattern must be printable ASCII");
        to.match(static_cast<unsigned char>(c));
    }

    constexpr static void range(schema::pattern_state& to, char from, char until) {
        for (unsigned c = static_cast<unsigned char>(from); c <= static_cast<unsigned char>(until); ++c)
            to.match(static_cast<unsigned char>(c));
    }

    // Returns the escaped character, or 0 for a character class.
    constexpr char escaped(schema::pattern_state& to) {
        const char c = next();
        ++at_;
        if (c == 'd' || c == 'w') range(to, '0', '9');
        if (c == 'w') range(to, 'a', 'z'), range(to, 'A', 'Z'), to.match('_');
        if (c == 's') range(to, '\t', '\r'), to.match(' ');
        if (c == 'd' || c == 'w' || c == 's') return 0;
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '\0';
        if (letter) throw bad_pattern("a pattern has an unknown escape: \\d, \\w and \\s are supported");
        plain(c, to);
        return c;
    }

    constexpr void set(schema::pattern_state& to) {
        const bool inverted = next() == '^';
        if (inverted) ++at_;
        do {
            if (at_ >= text_.size()) throw bad_pattern("a pattern has an unmatched '['");
            const char from = text_[at_++];
            if (from == '\\') {
                escaped(to);
            } else if (next() == '-' && !text_.substr(at_ + 1).empty() && text_[at_ + 1] != ']') {
                const char until = text_[at_ + 1];
                if (from > until || until == '\\')
                    throw bad_pattern("a pattern has a character range with its bounds in the wrong order");
                plain(from, to), plain(until, to);
                range(to, from, until);
                at_ += 2;
            } else {
                plain(from, to);
            }
        } while (next() != ']');
        ++at_;
        if (inverted) to.low = ~to.low, to.high = ~to.high, to.others = true;
    }

    static constexpr unsigned endless = ~0U;
    std::string_view text_;
    std::size_t at_ = 0;
    pattern_parts made_;
};

consteval pattern_parts compile_pattern(std::string_view text) { return pattern_compiler(text).compile(); }

template <std::size_t N>
struct pattern_states {
    schema::pattern_state at[N];
};

/// Returns only the used states of a compiled pattern.
template <std::size_t N>
consteval pattern_states<N> trimmed_states(const pattern_parts& whole) {
    pattern_states<N> made{};
    for (std::size_t i = 0; i < N; ++i) made.at[i] = whole.states[i];
    return made;
}

}  // namespace apus::detail
