// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/literal.hpp>
#include <apus/detail/pattern.hpp>
#include <apus/detail/schema_of.hpp>

#include <initializer_list>
#include <vector>

namespace apus::detail {

constexpr unsigned unbounded = ~0U;

/// Throws `std::invalid_argument` if a value violates the rule of its type.
void require(const schema::type&, const void* value);

bool holds_email(const schema::text_rule&, std::string_view) noexcept;
bool holds_url(const schema::text_rule&, std::string_view) noexcept;
bool holds_uuid(const schema::text_rule&, std::string_view) noexcept;
bool holds_date(const schema::text_rule&, std::string_view) noexcept;
bool holds_time(const schema::text_rule&, std::string_view) noexcept;
bool holds_choice(const schema::text_rule&, std::string_view) noexcept;
bool holds_pattern(const schema::text_rule&, std::string_view) noexcept;

template <class T>
struct item_type {
    struct none {};
    using type = none;
};
template <list_like T>
struct item_type<T> {
    using type = typename T::value_type;
};
template <class T>
using item_of = typename item_type<T>::type;

template <unsigned Least, unsigned Greatest>
constexpr void restrict_size(schema::type& to) {
    static_assert(Least <= Greatest, "the bounds of a size rule are in the wrong order");
    to.least = Least;
    to.greatest = Greatest == unbounded ? UINT64_MAX : Greatest;
}

template <unsigned Least, unsigned Greatest>
struct text_size {
    static constexpr void restrict(schema::type& to) { restrict_size<Least, Greatest>(to); }
};
template <unsigned Least, unsigned Greatest>
struct list_size {
    static constexpr void restrict(schema::type& to) { restrict_size<Least, Greatest>(to); }
};

template <std::int64_t Least, std::int64_t Greatest>
struct integer_range {
    static_assert(Least <= Greatest, "the bounds of a range of integers are in the wrong order");
    static constexpr void restrict(schema::type& to) {
        to.least = Least;
        to.greatest = static_cast<std::uint64_t>(Greatest);
    }
};

template <double Least, double Greatest>
struct number_range {
    static_assert(Least < Greatest, "the bounds of a range of numbers are in the wrong order");
    static constexpr void restrict(schema::type& to) {
        to.minimum = Least;
        to.maximum = Greatest;
    }
};

inline constexpr schema::text_rule email_form{.holds = holds_email, .expected = "an e-mail address", .format = "email"};
inline constexpr schema::text_rule url_form{.holds = holds_url, .expected = "an http or https URL", .format = "uri"};
inline constexpr schema::text_rule uuid_form{.holds = holds_uuid, .expected = "a UUID", .format = "uuid"};
inline constexpr schema::text_rule date_form{
    .holds = holds_date, .expected = "a date such as \"2026-11-22\"", .format = "date"};
inline constexpr schema::text_rule time_form{
    .holds = holds_time, .expected = "a time of day such as \"12:30:00\"", .format = "time"};

template <const schema::text_rule& Form>
struct text_form {
    static constexpr void restrict(schema::type& to) { to.text = &Form; }
};

template <literal... Choices>
struct choice {
    static_assert(sizeof...(Choices) > 0, "one_of needs at least one text");
    static constexpr std::string_view texts[] = {Choices.view()...};
    static constexpr schema::text_rule rule{
        .holds = holds_choice, .expected = {}, .choices = texts, .choice_count = sizeof...(Choices)};
    static constexpr void restrict(schema::type& to) { to.text = &rule; }
};

template <literal Text>
struct pattern_form {
    static constexpr auto whole = compile_pattern(Text.view());
    static constexpr auto states = trimmed_states<whole.count>(whole);
    static constexpr schema::pattern_program program{states.at, whole.accepting};
    static constexpr joined_text<Text.view().size() + 21> expected{std::string_view("a text of the form \""),
                                                                   Text.view(), std::string_view("\"")};
    static constexpr schema::text_rule rule{
        .holds = holds_pattern, .expected = expected.view(), .pattern = Text.view(), .program = &program};
    static constexpr void restrict(schema::type& to) { to.text = &rule; }
};

template <class T, class Rule>
struct own_rule {
    static_assert(
        requires(const T& value) {
            { Rule::holds(value) } -> std::same_as<bool>;
            std::string_view(Rule::expected);
        }, "a rule must have `static bool holds(const T&)` and `static constexpr std::string_view expected`");
    static constexpr schema::user_rule rule{
        [](const void* value) { return bool(Rule::holds(*static_cast<const T*>(value))); }, Rule::expected};
    static constexpr void restrict(schema::type& to) { to.user = &rule; }
};

}  // namespace apus::detail
