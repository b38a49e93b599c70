// SPDX-License-Identifier: Apache-2.0
#pragma once

// Names and values of the enumerators of an enumeration, parsed from __PRETTY_FUNCTION__.

#include <apus/detail/schema_table.hpp>

#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace apus::detail {

// Values outside this range are not found: each value costs compile time in every program.
constexpr int least_enumerator = -128;
constexpr int greatest_enumerator = 1023;

// If an enumeration has no fixed underlying type, clang rejects casts of values outside its range.
template <class E>
concept enumeration_of_known_size = requires { E{0}; };

/// The range of values of E that are checked for names.
template <class E>
struct enumerator_range {
    using limits = std::numeric_limits<std::underlying_type_t<E>>;
    static constexpr int least = limits::is_signed ? least_enumerator : 0;
    static constexpr int greatest =
        limits::max() < greatest_enumerator ? static_cast<int>(limits::max()) : greatest_enumerator;
    static constexpr int count = greatest - least + 1;
};

// clang instantiates a scoped enumeration of a class template only when a name is looked up in it.
template <class E>
concept scope_is_looked_into = requires { E::apus_looks_here; };

// Not a std::string_view: computing its length costs the compiler one step per byte.
template <class E, E... Values>
consteval const char* enumerators_text() {
    return __PRETTY_FUNCTION__;
}

template <class E, int... I>
consteval const char* enumerators_text(std::integer_sequence<int, I...>) {
    static_cast<void>(scope_is_looked_into<E>);
    return enumerators_text<E, static_cast<E>(enumerator_range<E>::least + I)...>();
}

/// Reads the values of an enumeration as compilers print them.
/// g++ prints `{a::red, (a)1, ...}`, and clang prints `<a::red, (a)1, ...>`. A cast stands for a value without a name.
/// The scope of a name may contain spaces, commas and all kinds of brackets.
class enumerators_reader {
public:
    struct entry {
        std::size_t from = 0, size = 0;  ///< Position of the name; size 0: no name.
    };

    consteval explicit enumerators_reader(const char* text) : text_(text) {
        while (text_[at_] != 'V' || std::string_view(text_ + at_, 9) != "Values = ") ++at_;
        at_ += 10;
    }
    consteval bool ended() const { return ended_; }
    consteval entry next() {
        std::size_t from = at_, end = end_of_cast();
        if (end == 0) {
            end = end_of_entry();
            from = beginning_of_word(end);
            if (is_digit(text_[from])) cast_ = from - (text_[from - 1] == '-') - at_, from = end;
        } else {
            from = end;
        }
        ended_ = text_[end] != ',';
        at_ = end + 2;
        return {from, end - from};
    }
    /// Skips values without a name, starting at `value`. Returns the first value that is not skipped.
    ///
    /// Most values are casts, and each step costs compile time. Computing the size of a cast avoids scanning its
    /// characters.
    consteval int skip_casts(int value) {
        if (cast_ == 0) return value;
        while (true) {
            const int size = value < 0 ? -value : value;
            const std::size_t end = at_ + cast_ + 1 + (value < 0) + (size > 9) + (size > 99) + (size > 999);
            if (text_[at_] != '(' || text_[at_ + cast_ - 1] != ')' || text_[end] != ',' || !is_digit(text_[end - 1]))
                return value;
            at_ = end + 2;
            ++value;
        }
    }

private:
    static consteval bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static consteval bool opens(char c) { return c == '(' || c == '<' || c == '{' || c == '['; }
    static consteval bool closes(char c) { return c == ')' || c == '>' || c == '}' || c == ']'; }

    // Returns the end of the current entry if it is a cast, otherwise 0. Skips the type in parentheses without scanning
    // it, since it is the same in all casts.
    consteval std::size_t end_of_cast() const {
        if (cast_ == 0 || text_[at_] != '(' || text_[at_ + cast_ - 1] != ')') return 0;
        std::size_t end = at_ + cast_ + (text_[at_ + cast_] == '-');
        if (!is_digit(text_[end])) return 0;
        while (is_digit(text_[end])) ++end;
        return end;
    }
    // Returns the end of the current entry, or the end of the text if a bracket is never closed, as in `operator<`.
    consteval std::size_t end_of_entry() const {
        std::size_t end = at_;
        for (int depth = 0; text_[end] != '\0' && (depth > 0 || (text_[end] != ',' && !closes(text_[end]))); ++end)
            depth += opens(text_[end]) - closes(text_[end]);
        return end;
    }
    // Returns the beginning of a name, or of the number after a cast. Only a number begins with a digit.
    consteval std::size_t beginning_of_word(std::size_t end) const {
        for (; end > at_; --end) {
            const char before = text_[end - 1];
            if (before == ':' || before == '-' || before == ' ' || closes(before)) break;
        }
        return end;
    }

    const char* text_;
    std::size_t at_ = 0;
    std::size_t cast_ = 0;  // size of "(a)"; 0 before the first cast
    bool ended_ = false;
};

/// Positions of the names of E in the text, and their values.
template <class E>
struct found_enumerators {
    struct one {
        std::size_t from, size;
        int value;
    };
    one at[enumerator_range<E>::count] = {};
    int values = 0, names = 0;
    std::size_t letters = 0;

    consteval explicit found_enumerators(const char* text) {
        constexpr int least = enumerator_range<E>::least;
        for (enumerators_reader in(text); !in.ended(); ++values) {
            values = in.skip_casts(least + values) - least;
            const auto name = in.next();
            if (name.size == 0) continue;
            at[names++] = {name.from, name.size, least + values};
            letters += name.size;
        }
    }
};

/// The enumerators of E, in the order of their values.
template <class E>
struct enumeration {
private:
    static constexpr const char* text =
        enumerators_text<E>(std::make_integer_sequence<int, enumerator_range<E>::count>());
    static constexpr found_enumerators<E> found{text};
    static_assert(found.values == enumerator_range<E>::count,
                  "the enumerators of this type cannot be read: declare it outside of operators");
    static_assert(found.names > 0, "an enumeration in a schema must have an enumerator from -128 to 1023");

    // The names are copied, so that the program does not contain the whole text.
    struct letters_of_names {
        char bytes[found.letters + 1] = {};
    };
    static consteval letters_of_names copy_letters() {
        letters_of_names made;
        char* to = made.bytes;
        for (int i = 0; i < found.names; ++i)
            for (std::size_t k = 0; k < found.at[i].size; ++k) *to++ = text[found.at[i].from + k];
        return made;
    }
    static constexpr letters_of_names letters = copy_letters();

    struct list {
        schema::enumerator at[found.names + 1] = {};
    };
    static consteval list make_list() {
        list made;
        const char* name = letters.bytes;
        for (int i = 0; i < found.names; name += found.at[i++].size)
            made.at[i] = {{name, found.at[i].size}, found.at[i].value};
        return made;
    }

public:
    static constexpr unsigned count = found.names;
    static constexpr list enumerators = make_list();
};

}  // namespace apus::detail
