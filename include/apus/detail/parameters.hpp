// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/captures.hpp>
#include <apus/detail/erased.hpp>
#include <apus/detail/held_value.hpp>
#include <apus/detail/needed_value.hpp>
#include <apus/detail/operation.hpp>
#include <apus/detail/signature.hpp>
#include <apus/http.hpp>

#include <limits>

namespace apus {

/// Parameter for a capture of the route by its name: `[](path<"id", int> id)` for "/users/{id}".
/// `*` and `->` access the value. T may be any type that a parameter for a capture by position may have. The route must
/// have a capture with this name.
template <detail::literal Name, class T>
struct path : detail::held_value<T> {
    using detail::held_value<T>::held_value;
    operator const T&() const noexcept { return this->value; }
};

}  // namespace apus

namespace apus::detail {

/// Read the index-th capture of the route.
/// For an invalid value, write a 400 with the capture's name and the expected value to `out`, and return false.
bool read_signed(request&, unsigned index, long long least, long long greatest, long long& value, response& out);
bool read_unsigned(request&, unsigned index, unsigned long long greatest, unsigned long long& value, response& out);
bool read_number(request&, unsigned index, double& value, response& out);
bool read_flag(request&, unsigned index, bool& value, response& out);
std::string_view whole_body(request&) noexcept;

template <class T, class... Among>
concept one_of = (std::is_same_v<T, Among> || ...);

/// Integer types except `char`.
template <class T>
concept path_integer = one_of<T, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
                              long long, unsigned long long>;
template <class T>
concept path_text = one_of<T, std::string, std::string_view>;

/// Types of parameters that take a capture of the route, by position.
template <class T>
concept path_value = path_integer<T> || path_text<T> || one_of<T, bool, double>;

/// Whether the schema of T reads captures of type T. Other headers specialize this variable.
template <class T>
inline constexpr bool captured_by_schema = false;
template <class T>
concept schema_capture = captured_by_schema<T>;

template <class T>
constexpr schema::type describe_path_value() {
    if constexpr (path_text<T>) return {.what = schema::kind::text, .least = 1};
    else if constexpr (std::is_same_v<T, bool>) return {.what = schema::kind::boolean};
    else if constexpr (std::is_same_v<T, double>) return {.what = schema::kind::number, .width = sizeof(T)};
    else if constexpr (std::is_signed_v<T>)
        return {.what = schema::kind::integer,
                .width = sizeof(T),
                .least = std::numeric_limits<T>::min(),
                .greatest = std::numeric_limits<T>::max()};
    else
        return {
            .what = schema::kind::natural, .width = sizeof(T), .least = 0, .greatest = std::numeric_limits<T>::max()};
}
template <class T>
inline constexpr schema::type path_value_table = describe_path_value<T>();

/// Provides a handler's parameter of type T, which takes `captures` captures of the route.
/// `fill` reads the value; on failure it writes an error response to `out` and returns false. After success, `give`
/// returns the value. `about` describes the parameter for API descriptions; a slot without `about` is not described.
/// Other headers specialize this template for their types.
template <class T>
struct slot {
    static_assert(
        !std::is_reference_v<T>,
        "a handler may take references only to request and to values set by middleware (apus::request_value): "
        "capture your own state in the lambda, and take the rest by value");
    static_assert(!request_value<T>, "a value set by middleware is taken by reference, such as const identity&");
    static_assert(!std::is_aggregate_v<T>, "take a struct of the request as json<T>, query<T> or form<T>");
    static_assert(
        std::is_reference_v<T> || request_value<T> || std::is_aggregate_v<T> || none_of_these<T>,
        "a handler parameter must be request&, body_text, or for captures by value an integer, double, bool or string");
    static constexpr unsigned captures = 0;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = false;
    bool fill(request&, unsigned&, response&) { return false; }
    T give();
};

/// Common base of slots that take no capture.
template <class Held, body_use Use>
struct held_slot {
    static constexpr unsigned captures = 0;
    static constexpr body_use body = Use;
    static constexpr bool sees_request = false;
    Held held{};

    Held give() { return std::move(held); }
};

template <class T>
    requires path_value<T>
struct slot<T> {
    static constexpr unsigned captures = 1;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = false;
    static constexpr input about{source::path, &path_value_table<T>};
    T value{};

    bool fill(request& req, unsigned& index, response& out) {
        if constexpr (path_text<T>) return value = req.capture(index++), true;
        else if constexpr (std::is_same_v<T, bool>) return read_flag(req, index++, value, out);
        else return fill_number(req, index++, out);
    }
    T give() { return std::move(value); }

private:
    using range = std::numeric_limits<T>;

    bool fill_number(request& req, unsigned index, response& out) {
        std::conditional_t<std::is_same_v<T, double>, double,
                           std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>
            wide = 0;
        bool read;
        if constexpr (std::is_same_v<T, double>) read = read_number(req, index, wide, out);
        else if constexpr (std::is_signed_v<T>) read = read_signed(req, index, range::min(), range::max(), wide, out);
        else read = read_unsigned(req, index, range::max(), wide, out);
        value = static_cast<T>(wide);
        return read;
    }
};

template <>
struct slot<request&> {
    static constexpr unsigned captures = 0;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = true;
    request* value = nullptr;
    bool fill(request& req, unsigned&, response&) noexcept { return value = &req, true; }
    request& give() noexcept { return *value; }
};

template <class T>
    requires request_value<std::remove_const_t<T>>
struct slot<T&> {
    static constexpr unsigned captures = 0;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = false;
    static constexpr needed_value needs = needed<T>;
    T* value = nullptr;
    bool fill(request& req, unsigned&, response& out) {
        value = req.find<std::remove_const_t<T>>();
        if (!value) put_no_value(needs, out);
        return value;
    }
    T& give() noexcept { return *value; }
};

template <class T>
void take_held(const held_value<T>&);
/// json<T>, query<T> and similar types.
template <class T>
concept held_parameter = requires(const T& t) { take_held(t); };

template <literal Name, class T>
    requires(path_value<T> || schema_capture<T>)
struct slot<path<Name, T>> {
    static_assert(!Name.view().empty(), "path<\"id\", T> names a capture of the route");
    static constexpr unsigned captures = 1;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = false;
    static constexpr std::string_view name = Name.view();
    static constexpr input about{source::path, slot<T>::about.of, Name.view()};
    const unsigned char* order = nullptr;
    path<Name, T> held{};

    bool fill(request& req, unsigned& index, response& out) {
        slot<T> of;
        unsigned at = order[index++];
        if (!of.fill(req, at, out)) return false;
        held.value = of.give();
        return true;
    }
    path<Name, T> give() { return std::move(held); }
};

template <class S>
concept named_slot = requires(S& s) { s.order; };
template <class S>
inline constexpr bool named_capture = named_slot<S>;
template <class S>
constexpr std::string_view name_of_capture() {
    if constexpr (named_slot<S>) return S::name;
    else return {};
}

/// Creates a slot of type S. A named slot stores the order of the captures.
template <class S>
S ordered_slot(const capture_order& order) {
    S made{};
    if constexpr (named_slot<S>) made.order = order.at;
    return made;
}

template <>
struct slot<body_text> {
    static constexpr unsigned captures = 0;
    static constexpr body_use body = body_use::whole;
    static constexpr bool sees_request = false;
    static constexpr input about{source::text};
    body_text value;
    bool fill(request& req, unsigned&, response&) noexcept { return value.bytes = whole_body(req), true; }
    body_text give() noexcept { return value; }
};

/// Slot for the same value by reference. The reference is valid until the handler's task ends.
template <class T>
    requires(held_parameter<T> || path_value<T> || schema_capture<T> || std::is_same_v<T, body_text>)
struct slot<const T&> : slot<T> {
    static constexpr bool ends_with_call = true;
    const T& give() noexcept {
        if constexpr (held_parameter<T> || schema_capture<T>) return this->held;
        else return this->value;
    }
};

}  // namespace apus::detail
