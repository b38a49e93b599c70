// SPDX-License-Identifier: Apache-2.0
#pragma once

// Types that carry a rule: as fields of a struct they are checked where it is read (json.hpp, query.hpp,
// form.hpp), and a handler never sees a value that breaks one.

#include <apus/detail/pattern.hpp>
#include <apus/detail/rule_kinds.hpp>
#include <apus/schema.hpp>

namespace apus {

/// A T that follows a rule. It behaves as the T it holds: it converts to it, compares with it,
/// `->` and `*` lead to it, and it is printed as it is. A program that makes one of a value which
/// breaks the rule gets `std::invalid_argument`; one that is made without a value holds what a T
/// made so does, also where that breaks the rule.
template <class T, class Rule>
class ruled {
public:
    using value_type = T;

    ruled() = default;
    /// From what a T is made of; throws as said above.
    template <class U>
        requires std::is_constructible_v<T, U> &&
                 (!detail::is_any_of<std::remove_cvref_t<U>, ruled, detail::any_member>)
    ruled(U&& value) : value_(std::forward<U>(value)) {
        detail::require(detail::schema_table<ruled>, &value_);
    }
    /// From the values of a list.
    ruled(std::initializer_list<detail::item_of<T>> items)
        requires detail::list_like<T>
        : value_(items) {
        detail::require(detail::schema_table<ruled>, &value_);
    }

    operator const T&() const& noexcept { return value_; }
    operator T&&() && noexcept { return std::move(value_); }
    operator std::string_view() const noexcept
        requires std::is_same_v<T, std::string>
    {
        return value_;
    }
    const T& operator*() const noexcept { return value_; }
    const T* operator->() const noexcept { return &value_; }

    /// The values of a list.
    auto begin() const noexcept
        requires detail::list_like<T>
    {
        return value_.begin();
    }
    /// Their end.
    auto end() const noexcept
        requires detail::list_like<T>
    {
        return value_.end();
    }

    // Arithmetic types compare by their conversion.
    template <std::same_as<ruled> Same>
        requires(!std::is_arithmetic_v<T>)
    friend bool operator==(const ruled& a, const Same& b) {
        return a.value_ == b.value_;
    }
    friend bool operator==(const ruled& a, std::string_view b)
        requires std::is_same_v<T, std::string>
    {
        return a.value_ == b;
    }
    friend bool operator==(const ruled& a, const T& b)
        requires(!std::is_arithmetic_v<T> && !std::is_same_v<T, std::string>)
    {
        return a.value_ == b;
    }

private:
    T value_;
};

/// A text of so many characters (code points of Unicode, not bytes).
template <unsigned Least, unsigned Greatest = detail::unbounded>
using text = ruled<std::string, detail::text_size<Least, Greatest>>;

/// An integer from Least to Greatest, both of them included.
template <std::int64_t Least, std::int64_t Greatest>
using integer = ruled<std::int64_t, detail::integer_range<Least, Greatest>>;

/// A number from Least to Greatest, both of them included: never NaN.
template <double Least, double Greatest>
using number = ruled<double, detail::number_range<Least, Greatest>>;

/// An e-mail address as browsers take it in forms: `local@host`, no comments, no quotes, at most 254 bytes.
using email = ruled<std::string, detail::text_form<detail::email_form>>;

/// An absolute http or https URL of RFC 3986, without user name and password.
using url = ruled<std::string, detail::text_form<detail::url_form>>;

/// A UUID as RFC 9562, 4 writes it, in any case: "7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a11".
using uuid = ruled<std::string, detail::text_form<detail::uuid_form>>;

/// A day as RFC 3339 writes it, that the calendar has: "2026-11-22".
using date = ruled<std::string, detail::text_form<detail::date_form>>;

/// A time of a day as RFC 3339 writes it, with or without an offset: "12:30:00", "12:30:00.5Z".
using time_of_day = ruled<std::string, detail::text_form<detail::time_form>>;

/// One of these texts: `one_of<"draft", "published">`.
template <detail::literal... Choices>
using one_of = ruled<std::string, detail::choice<Choices...>>;

/// A text that a pattern matches as a whole, compiled while the program is; a mistake in it is a
/// compile error. It takes time in proportion to the text, whatever the pattern and the text.
///
/// The language: characters for themselves; `.` for any; `[a-z_]` and `[^a-z]` for one of some;
/// `\d`, `\w`, `\s` for an ASCII digit, word character, space; a backslash before what has a
/// meaning; `|`, `( )`; and behind any of these `*`, `+`, `?`, `{3}`, `{2,}`, `{2,5}`. A pattern is
/// ASCII and has, with its repetitions written out, at most 191 characters to match.
template <detail::literal Text>
using pattern = ruled<std::string, detail::pattern_form<Text>>;

/// A list of so many values.
template <class T, unsigned Least, unsigned Greatest = detail::unbounded>
using list = ruled<std::vector<T>, detail::list_size<Least, Greatest>>;

/// A T that follows a rule of your own, which says it by
/// `static constexpr std::string_view expected = "an even number"` and `static bool holds(const T&)`.
template <class T, class Rule>
using checked = ruled<T, detail::own_rule<T, Rule>>;

template <class T, class Rule>
struct detail::schema_of<ruled<T, Rule>> {
    static constexpr schema::type table() {
        schema::type made = table_of<T>();
        Rule::restrict(made);
        return made;
    }
};

}  // namespace apus
