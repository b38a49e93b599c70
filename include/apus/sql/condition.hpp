// SPDX-License-Identifier: Apache-2.0
#pragma once

// Conditions and orders for `table`, built at run time from members of the row's struct. Values become parameters, and
// column names are fields of the struct, so text from clients is never part of a statement.

#include <apus/detail/schema_of.hpp>
#include <apus/detail/sql_call.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace apus::sql {

namespace detail {

enum class comparison : unsigned char {
    equal,
    unequal,
    less,
    at_most,
    more,
    at_least,
    starts_with,
    contains
};

struct condition_parts;
using owned_condition = apus::detail::owned_parts<condition_parts>;

owned_condition compare(const schema::type& row, std::size_t offset, comparison, argument);
owned_condition compare_to_any(const schema::type& row, std::size_t offset, const argument*, std::size_t count);
owned_condition compare_to_null(const schema::type& row, std::size_t offset, bool is_null);
owned_condition join(owned_condition, owned_condition, bool both);
owned_condition negate(owned_condition);

/// A column to sort by.
struct sort_key {
    unsigned field;  // index in the row
    bool descending;
};
sort_key sort_by(const schema::type& row, std::size_t offset, bool descending);
result<std::vector<sort_key>> parse_order(const schema::type& row, std::string_view text);

template <class T>
struct without_optional {
    using type = T;
};
template <apus::detail::optional_like T>
struct without_optional<T> {
    using type = std::remove_cvref_t<decltype(*std::declval<T&>())>;
};

/// Whether columns of type Member can be compared with values of type Value.
template <class Member, class Value>
constexpr bool comparable() {
    constexpr auto group = [](schema::kind k) {
        if (k == schema::kind::natural || k == schema::kind::number) return schema::kind::integer;
        return k == schema::kind::view ? schema::kind::text : k;
    };
    using plain = std::remove_cvref_t<decltype(plain_argument(std::declval<const Value&>()))>;
    return group(apus::detail::schema_table<typename without_optional<Member>::type>.what) ==
           group(apus::detail::schema_table<plain>.what);
}

// In the Itanium C++ ABI, a pointer to a data member is the member's offset.
template <class Row, class Member>
std::size_t offset_of(Member Row::* member) {
    static_assert(sizeof member == sizeof(std::size_t));
    return __builtin_bit_cast(std::size_t, member);
}

}  // namespace detail

/// A condition on rows, created from columns, and combined by `&&`, `||` and `!`.
template <class Row>
class condition {
public:
    explicit condition(detail::owned_condition parts) : parts_(std::move(parts)) {}

    friend condition operator&&(condition a, condition b) {
        return condition(detail::join(std::move(a.parts_), std::move(b.parts_), true));
    }
    friend condition operator||(condition a, condition b) {
        return condition(detail::join(std::move(a.parts_), std::move(b.parts_), false));
    }
    friend condition operator!(condition a) { return condition(detail::negate(std::move(a.parts_))); }

    const detail::condition_parts& parts() const noexcept { return *parts_; }  ///< Used by `table`.

private:
    detail::owned_condition parts_;
};

/// The column of a member of the row's struct: `column(&note::priority) >= 3`.
/// For NULL, use `is_null`.
template <class Row, class Member>
class column {
public:
    explicit column(Member Row::* member) : at_(detail::offset_of(member)) {}

    template <class Value>
    condition<Row> operator==(const Value& v) const {
        return compare(detail::comparison::equal, v);
    }
    template <class Value>
    condition<Row> operator!=(const Value& v) const {
        return compare(detail::comparison::unequal, v);
    }
    template <class Value>
    condition<Row> operator<(const Value& v) const {
        return compare(detail::comparison::less, v);
    }
    template <class Value>
    condition<Row> operator<=(const Value& v) const {
        return compare(detail::comparison::at_most, v);
    }
    template <class Value>
    condition<Row> operator>(const Value& v) const {
        return compare(detail::comparison::more, v);
    }
    template <class Value>
    condition<Row> operator>=(const Value& v) const {
        return compare(detail::comparison::at_least, v);
    }
    /// True if the column's text starts with, or contains, `v`. Case-sensitive; `v` is not a pattern.
    condition<Row> starts_with(std::string_view v) const { return compare(detail::comparison::starts_with, v); }
    condition<Row> contains(std::string_view v) const { return compare(detail::comparison::contains, v); }

    /// True if the column equals one of the values. False for an empty list.
    template <class List>
    condition<Row> in(const List& values) const {
        static_assert(detail::comparable<Member, std::remove_cvref_t<decltype(*std::begin(values))>>(),
                      "the column and the values have types that cannot be compared");
        std::vector<detail::argument> list;
        for (const auto& each : values) list.push_back(detail::describe(each));
        return condition<Row>(detail::compare_to_any(table(), at_, list.data(), list.size()));
    }
    condition<Row> is_null() const { return condition<Row>(detail::compare_to_null(table(), at_, true)); }
    condition<Row> is_not_null() const { return condition<Row>(detail::compare_to_null(table(), at_, false)); }

private:
    static const schema::type& table() { return apus::detail::schema_table<Row>; }

    template <class Value>
    condition<Row> compare(detail::comparison how, const Value& v) const {
        static_assert(detail::comparable<Member, Value>(),
                      "the column and the value have types that cannot be compared");
        const auto& plain = detail::plain_argument(v);
        return condition<Row>(detail::compare(table(), at_, how, detail::describe(plain)));
    }

    std::size_t at_;
};

/// Order of rows, by one or more non-optional columns.
/// `table` always adds the key as the last column.
template <class Row>
class order {
public:
    order() = default;
    explicit order(detail::sort_key first) : keys_{first} {}

    /// Parses an order from a client, such as "-priority,title".
    /// `-` means descending. Unknown columns: error 422.
    static result<order> parse(std::string_view text) {
        auto keys = detail::parse_order(apus::detail::schema_table<Row>, text);
        if (!keys) return std::unexpected(std::move(keys.error()));
        order made;
        made.keys_ = *std::move(keys);
        return made;
    }

    /// Adds further columns: `descending(&note::priority).then(ascending(&note::title))`.
    order then(const order& next) const {
        order made = *this;
        made.keys_.insert(made.keys_.end(), next.keys_.begin(), next.keys_.end());
        return made;
    }

    const std::vector<detail::sort_key>& keys() const noexcept { return keys_; }  ///< Used by `table`.

private:
    std::vector<detail::sort_key> keys_;
};

/// Sorts by a column, smallest value first.
template <class Row, class Member>
order<Row> ascending(Member Row::* member) {
    static_assert(!apus::detail::optional_like<Member>, "rows cannot be ordered by an optional column");
    return order<Row>(detail::sort_by(apus::detail::schema_table<Row>, detail::offset_of(member), false));
}

/// Sorts by a column, greatest value first.
template <class Row, class Member>
order<Row> descending(Member Row::* member) {
    static_assert(!apus::detail::optional_like<Member>, "rows cannot be ordered by an optional column");
    return order<Row>(detail::sort_by(apus::detail::schema_table<Row>, detail::offset_of(member), true));
}

}  // namespace apus::sql
