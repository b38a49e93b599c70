// SPDX-License-Identifier: Apache-2.0
#pragma once

// JSON values whose structure is not known at compile time. json.hpp parses, prints and checks them, alone or as fields
// of structs.

#include <apus/detail/schema_of.hpp>
#include <apus/error.hpp>

#include <compare>
#include <vector>

namespace apus {

/// Null, a bool, a number, a string, a list or an object, in 16 bytes.
/// Signed and unsigned 64-bit integers are exact; all other numbers are doubles. Members of an object keep their order;
/// lookup takes linear time.
///
/// Owns its value; copies are deep.
class json_value {
public:
    /// Type of a value. `natural` is an integer above the range of `integer`.
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
    /// Converts a bool, integer, float or double, or any type that std::string is constructible from.
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

    kind what() const noexcept { return kind_; }
    bool is_null() const noexcept { return kind_ == kind::null; }  ///< Default.
    bool is_text() const noexcept { return kind_ == kind::text; }
    bool is_list() const noexcept { return kind_ == kind::list; }
    bool is_object() const noexcept { return kind_ == kind::object; }

    /// Number of values of a list or members of an object; 0 for other types.
    std::size_t size() const noexcept;
    const std::vector<json_value>& items() const noexcept;  ///< Values of a list; otherwise empty.
    const std::vector<member>& members() const noexcept;    ///< Members of an object, in order; otherwise empty.

    /// Returns the value at a JSON Pointer (RFC 6901), such as "/items/3/price".
    /// Returns null if the value does not exist. The pointer "" refers to this value. The result is valid until this
    /// value is changed.
    const json_value* find(std::string_view pointer) const;
    /// Like the const `find`, for a value that may be changed.
    json_value* find(std::string_view pointer) { return const_cast<json_value*>(std::as_const(*this).find(pointer)); }

    /// Returns the value at a JSON Pointer, converted to T.
    /// T: bool, an integer type, double, std::string, or std::string_view of the text in this value. Error 422 with a
    /// message if the value is absent, of another type, or out of range.
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

    /// Returns the member of this name, and adds it if it is missing.
    /// Null becomes an object first; any other type throws `std::logic_error`. Valid until a member is added.
    json_value& operator[](std::string_view name);

    /// Appends a value to a list. Null becomes a list first; any other type throws `std::logic_error`.
    /// The reference is valid until the next value is added.
    json_value& push_back(json_value value);

    /// Compares lists in order, and objects in any order of members. 1 and 1.0 differ.
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
        std::int64_t integer_;  // as large as the other alternatives: used by `swap`
        double number_;
        std::string* text_;
        std::vector<json_value>* list_;
        std::vector<member>* object_;
    };
};

/// A member of an object.
struct json_value::member {
    std::string name;  ///< UTF-8 text.
    json_value value;  ///< Value of the member.
};

template <>
struct detail::schema_of<json_value> {
    static constexpr schema::type table() { return {.what = schema::kind::value}; }
};

}  // namespace apus
