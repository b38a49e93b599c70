// SPDX-License-Identifier: Apache-2.0
#pragma once

// A JSON value of a shape that is not known in advance. It is parsed, printed and checked as structs
// are: by json.hpp, also as a field of a struct.

#include <apus/detail/schema_of.hpp>
#include <apus/error.hpp>

#include <compare>
#include <vector>

namespace apus {

/// Null, a bool, a number, a text, a list or an object, in 16 bytes. Integers of 64 bits are kept
/// exactly, signed or not; all other numbers are doubles. The members of an object keep their
/// order; finding one takes time in proportion to their number.
///
/// Owns what it holds. Copying copies all of it.
class json_value {
public:
    /// What it is. `natural` is an integer over those of `integer`.
    enum class kind : unsigned char {
        null,
        boolean,
        integer,
        natural,
        number,
        text,
        list,
        object
    };
    struct member;

    json_value() noexcept : kind_(kind::null), integer_(0) {}
    json_value(std::nullptr_t) noexcept : json_value() {}
    /// From a bool, an integer, a float or double, or what a std::string is made of.
    template <class T>
        requires std::is_same_v<T, bool>
    json_value(T value) noexcept : kind_(kind::boolean), boolean_(value) {}
    template <detail::schema_integer T>
    json_value(T value) noexcept : kind_(kind::integer), integer_(static_cast<std::int64_t>(value)) {
        if (std::is_unsigned_v<T> && integer_ < 0) kind_ = kind::natural;
    }
    template <class T>
        requires std::is_floating_point_v<T>
    json_value(T value) noexcept : kind_(kind::number), number_(static_cast<double>(value)) {}
    template <class T>
        requires std::is_constructible_v<std::string, T> && (!std::is_same_v<std::remove_cvref_t<T>, std::nullptr_t>)
    json_value(T&& value) : kind_(kind::text), text_(new std::string(std::forward<T>(value))) {}
    json_value(const json_value& other);
    json_value(json_value&& other) noexcept : json_value() { swap(other); }
    json_value& operator=(json_value other) noexcept {
        swap(other);
        return *this;
    }
    ~json_value() {
        if (kind_ >= kind::text) drop();
    }

    static json_value list();    ///< An empty list.
    static json_value object();  ///< An empty object.

    kind what() const noexcept { return kind_; }                       ///< What it holds.
    bool is_null() const noexcept { return kind_ == kind::null; }      ///< As a value that is just made.
    bool is_text() const noexcept { return kind_ == kind::text; }      ///< Whether it is a text.
    bool is_list() const noexcept { return kind_ == kind::list; }      ///< Whether it is a list.
    bool is_object() const noexcept { return kind_ == kind::object; }  ///< Whether it is an object.

    /// The values of a list, or the members of an object; none for all others.
    std::size_t size() const noexcept;
    const std::vector<json_value>& items() const noexcept;  ///< Of a list; otherwise empty.
    const std::vector<member>& members() const noexcept;    ///< Of an object, in their order; otherwise empty.

    /// The value that a JSON Pointer (RFC 6901) leads to, such as "/items/3/price", or null if there
    /// is none. "" is the value itself. Valid until this is changed.
    const json_value* find(std::string_view pointer) const;
    /// The same.
    json_value* find(std::string_view pointer) { return const_cast<json_value*>(std::as_const(*this).find(pointer)); }

    /// The value at a JSON Pointer as a bool, an integer, a double, a std::string, or a
    /// std::string_view into this. A 422 that says in a sentence what is there instead, if it is
    /// none of this type, does not fit into it, or is not there.
    template <class T>
    result<T> get(std::string_view pointer = {}) const {
        if constexpr (std::is_same_v<T, bool>) return get_boolean(pointer);
        else if constexpr (std::is_floating_point_v<T>) return convert<T>(get_number(pointer));
        else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>)
            return convert<T>(get_text(pointer));
        else if constexpr (std::is_signed_v<T>)
            return convert<T>(get_integer(pointer, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
        else return convert<T>(get_natural(pointer, std::numeric_limits<T>::max()));
    }

    /// The member of this name, added if it is not there. Null becomes an object first; anything
    /// else that is none throws `std::logic_error`. Valid until a member is added.
    json_value& operator[](std::string_view name);

    /// Adds a value to a list. Null becomes a list first; anything else that is none throws
    /// `std::logic_error`. Valid until the next is added.
    json_value& push_back(json_value value);

    /// The same values in the same order; members in any order. 1 and 1.0 differ.
    friend bool operator==(const json_value& a, const json_value& b) noexcept { return a.equals(b); }

private:
    friend struct json_value_access;

    void swap(json_value& other) noexcept {
        std::swap(kind_, other.kind_);
        std::swap(integer_, other.integer_);
    }
    void drop() noexcept;
    bool equals(const json_value&) const noexcept;
    result<bool> get_boolean(std::string_view pointer) const;
    result<double> get_number(std::string_view pointer) const;
    result<std::string_view> get_text(std::string_view pointer) const;
    result<std::int64_t> get_integer(std::string_view pointer, std::int64_t least, std::int64_t greatest) const;
    result<std::uint64_t> get_natural(std::string_view pointer, std::uint64_t greatest) const;

    template <class T, class From>
    static result<T> convert(From from) {
        if (!from) return std::unexpected(std::move(from).error());
        return static_cast<T>(*from);
    }

    kind kind_;
    union {
        bool boolean_;
        std::int64_t integer_;  // of the size of all others: what `swap` swaps
        double number_;
        std::string* text_;
        std::vector<json_value>* list_;
        std::vector<member>* object_;
    };
};

/// A member of an object.
struct json_value::member {
    std::string name;  ///< Any text of UTF-8.
    json_value value;  ///< What it is.
};

template <>
struct detail::schema_of<json_value> {
    static constexpr schema::type table() { return {.what = schema::kind::value}; }
};

}  // namespace apus
