// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/operation.hpp>
#include <apus/detail/signature.hpp>
#include <apus/http.hpp>

#include <limits>

namespace apus::detail {

/// What a handler needs of the body, from least to most.
enum class body_use : unsigned char {
    ignored,
    streamed,
    whole
};

/// Read the index-th capture of the route. False: the client sent something else, and `out`
/// holds a 400 that names the capture and says what it must be.
bool read_signed(request&, unsigned index, long long least, long long greatest, long long& value, response& out);
bool read_unsigned(request&, unsigned index, unsigned long long greatest, unsigned long long& value, response& out);
bool read_number(request&, unsigned index, double& value, response& out);
bool read_flag(request&, unsigned index, bool& value, response& out);
std::string_view whole_body(request&) noexcept;

/// Request value that a handler requires. A null `spelled` ends an array.
struct needed_value {
    const void* key = nullptr;      ///< Null: the parameter is no request value.
    const char* spelled = nullptr;  ///< Text of the compiler, with "T = " and the type in it.
    const char* setter = nullptr;   ///< The only middleware that sets it; null: any may.
};
void put_no_value(const needed_value&, response& out);  ///< 500: no middleware has set the value.
template <class T>
constexpr const char* spell() noexcept {
    return __PRETTY_FUNCTION__;
}

template <class T, class... Among>
concept one_of = (std::is_same_v<T, Among> || ...);

/// Integers that are numbers: a `char` is a character.
template <class T>
concept path_integer = one_of<T, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long,
                              long long, unsigned long long>;
template <class T>
concept path_text = one_of<T, std::string, std::string_view>;

/// What takes a capture of the route; each takes one, in order.
template <class T>
concept path_value = path_integer<T> || path_text<T> || one_of<T, bool, double>;

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

/// How a handler gets a parameter of type T, which takes so many captures of the route: `fill`
/// reads it, or puts the client's error into `out` and gives false; then `give` hands it over. `about`
/// describes it; without one, nobody is told of it. Other headers specialize it for their types.
template <class T>
struct slot {
    static_assert(
        !std::is_reference_v<T>,
        "a handler takes references only to request and to what middleware sets (apus::request_value): state of yours "
        "is captured by the lambda, and the rest is taken by value");
    static_assert(!request_value<T>, "what middleware sets is taken by reference, such as const identity&");
    static_assert(!std::is_aggregate_v<T>, "a struct that a client sends is taken as json<T>, query<T> or form<T>");
    static_assert(
        std::is_reference_v<T> || request_value<T> || std::is_aggregate_v<T> || none_of_these<T>,
        "a handler takes request&, body_text, and by value integers, double, bool and strings for its captures");
    static constexpr unsigned captures = 0;
    static constexpr body_use body = body_use::ignored;
    static constexpr bool sees_request = false;
    bool fill(request&, unsigned&, response&) { return false; }
    T give();
};

/// What is alike in slots of values that take no capture.
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
    static constexpr needed_value needs = {&type_key<std::remove_const_t<T>>, spell<T>(),
                                           only_setter<std::remove_const_t<T>>};
    T* value = nullptr;
    bool fill(request& req, unsigned&, response& out) {
        value = req.find<std::remove_const_t<T>>();
        if (!value) put_no_value(needs, out);
        return value;
    }
    T& give() noexcept { return *value; }
};

template <class T>
struct held_value;
template <class T>
void take_held(const held_value<T>&);
/// json<T>, query<T> and what is like them.
template <class T>
concept held_parameter = requires(const T& t) { take_held(t); };

/// The same by reference: what it names ends with the call, so it is nothing for a coroutine.
template <held_parameter T>
struct slot<const T&> : slot<T> {
    static constexpr bool ends_with_call = true;
    const T& give() noexcept { return this->held; }
};

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

}  // namespace apus::detail
