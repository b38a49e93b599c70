// SPDX-License-Identifier: Apache-2.0
#pragma once

// Types with rules. Fields of these types are checked when a struct is parsed (json.hpp, query.hpp, form.hpp), so
// handlers get only valid values.

#include <apus/detail/pattern.hpp>
#include <apus/detail/rule_kinds.hpp>
#include <apus/schema.hpp>

namespace apus {

/// A T constrained by a rule.
/// It behaves like a T: implicit conversion, comparison, `->` and `*`, and printing. Construction from an invalid
/// value throws `std::invalid_argument`; a default-constructed object has T's default value, even if that violates the
/// rule.
template <class T, class Rule>
class ruled {
public:
    using value_type = T;

    ruled() = default;
    /// Constructs the value from any type that T is constructible from.
    /// Throws `std::invalid_argument` if it is invalid.
    template <class U>
        requires(!detail::is_any_of<std::remove_cvref_t<U>, ruled, detail::any_member> && __is_constructible(T, U))
    ruled(U&& value) : value_(std::forward<U>(value)) {
        detail::require(detail::schema_table<ruled>, &value_);
    }
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

    /// Begin of a list.
    auto begin() const noexcept
        requires detail::list_like<T>
    {
        return value_.begin();
    }
    /// End of a list.
    auto end() const noexcept
        requires detail::list_like<T>
    {
        return value_.end();
    }

    // Arithmetic types are compared after the implicit conversion.
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

/// A text of Least to Greatest characters (Unicode code points, not bytes).
template <unsigned Least, unsigned Greatest = detail::unbounded>
using text = ruled<std::string, detail::text_size<Least, Greatest>>;

/// An integer from Least to Greatest, inclusive.
template <std::int64_t Least, std::int64_t Greatest>
using integer = ruled<std::int64_t, detail::integer_range<Least, Greatest>>;

/// A number from Least to Greatest, inclusive; never NaN.
template <double Least, double Greatest>
using number = ruled<double, detail::number_range<Least, Greatest>>;

/// An e-mail address as in HTML forms: `local@host` without comments and quotes, at most 254 bytes.
using email = ruled<std::string, detail::text_form<detail::email_form>>;

/// An absolute http or https URL of RFC 3986, without user name and password.
using url = ruled<std::string, detail::text_form<detail::url_form>>;

/// A UUID (RFC 9562, 4), in upper or lower case: "7d3f0d3e-58a1-4a68-9a0b-0d7c1d3f2a11".
using uuid = ruled<std::string, detail::text_form<detail::uuid_form>>;

/// A valid date in the form of RFC 3339: "2026-11-22".
using date = ruled<std::string, detail::text_form<detail::date_form>>;

/// A time of day in the form of RFC 3339, with or without offset: "12:30:00", "12:30:00.5Z".
using time_of_day = ruled<std::string, detail::text_form<detail::time_form>>;

/// One of these texts: `one_of<"draft", "published">`.
template <detail::literal... Choices>
using one_of = ruled<std::string, detail::choice<Choices...>>;

/// A text that matches a pattern as a whole.
/// The pattern is compiled at compile time; an invalid pattern is a compile error. Matching takes time proportional to
/// the text's size, for every pattern and text.
///
/// Syntax: literal characters; `.` for any character; `[a-z_]` and `[^a-z]` for character classes; `\d`, `\w`, `\s` for
/// an ASCII digit, word character, space; a backslash to escape special characters; `|`, `( )`; repetition by `*`, `+`,
/// `?`, `{3}`, `{2,}`, `{2,5}`. A pattern is ASCII, and has at most 191 characters to match when its repetitions are
/// expanded.
template <detail::literal Text>
using pattern = ruled<std::string, detail::pattern_form<Text>>;

/// A list of Least to Greatest values.
template <class T, unsigned Least, unsigned Greatest = detail::unbounded>
using list = ruled<std::vector<T>, detail::list_size<Least, Greatest>>;

/// A T with a custom rule.
/// The rule has `static constexpr std::string_view expected = "an even number"` and `static bool holds(const T&)`.
template <class T, class Rule>
using checked = ruled<T, detail::own_rule<T, Rule>>;

/// Types with rules can be captures of routes.
template <class T, class Rule>
inline constexpr bool detail::captured_by_schema<ruled<T, Rule>> = true;

template <class T, class Rule>
struct detail::schema_of<ruled<T, Rule>> {
    static constexpr schema::type table() {
        schema::type made = table_of<T>();
        Rule::restrict(made);
        return made;
    }
};

}  // namespace apus
