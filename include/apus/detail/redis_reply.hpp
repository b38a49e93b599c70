// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/redis_command.hpp>
#include <apus/error.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace apus::redis::detail {

/// Reads the elements of a complete reply as values. After a failure, it returns empty values.
class reply_reader {
public:
    /// `command` is the name for messages. `hidden`: messages must not repeat text from Redis.
    reply_reader(std::string_view bytes, std::string_view command, bool hidden) noexcept
        : left_(bytes), command_(command), hidden_(hidden) {}

    bool take_null();  // whether the next element is null; if so, removes it
    std::string_view take_text();
    long long take_integer();
    unsigned long long take_natural();
    double take_real();
    bool take_bool();
    void take_any();  // everything except an error
    std::size_t take_items();
    /// Returns the number of pairs. `nested`: each pair is a list; otherwise keys and values alternate.
    std::size_t take_pairs(bool& nested);
    void take_pair();

    void out_of_range();
    bool failed() const noexcept { return why_.has_value(); }
    apus::error error() && { return *std::move(why_); }

private:
    struct next;
    next take();
    void unexpected(const next&, const char* expected);

    std::string_view left_, command_;
    bool hidden_;
    std::optional<apus::error> why_;
};

template <class T>
concept map_like = requires {
    typename T::key_type;
    typename T::mapped_type;
};
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
T read_reply(reply_reader& from);

template <class T>
T read_pair(reply_reader& from) {
    auto first = read_reply<std::remove_const_t<typename T::first_type>>(from);
    return T(std::move(first), read_reply<typename T::second_type>(from));
}

template <class T>
T read_items(reply_reader& from) {
    T made;
    using item = typename T::value_type;
    bool nested = false;
    std::size_t left = 0;
    if constexpr (pair_like<item>) left = from.take_pairs(nested);
    else left = from.take_items();
    for (; left != 0 && !from.failed(); --left) {
        if (nested) from.take_pair();
        if constexpr (pair_like<item>) made.insert(made.end(), read_pair<item>(from));
        else made.insert(made.end(), read_reply<item>(from));
    }
    return made;
}

template <class T>
T read_number(reply_reader& from) {
    using wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
    wide value = 0;
    if constexpr (std::is_signed_v<T>) value = from.take_integer();
    else value = from.take_natural();
    if (value < static_cast<wide>(std::numeric_limits<T>::min()) ||
        value > static_cast<wide>(std::numeric_limits<T>::max())) {
        from.out_of_range();
        return T();
    }
    return static_cast<T>(value);
}

/// Converts the next element.
template <class T>
T read_reply(reply_reader& from) {
    if constexpr (is_optional<T>) {
        if (from.take_null()) return std::nullopt;
        return read_reply<typename T::value_type>(from);
    } else if constexpr (std::is_same_v<T, bool>) {
        return from.take_bool();
    } else if constexpr (std::is_integral_v<T>) {
        return read_number<T>(from);
    } else if constexpr (std::is_floating_point_v<T>) {
        return static_cast<T>(from.take_real());
    } else if constexpr (std::is_same_v<T, std::string>) {
        return std::string(from.take_text());
    } else if constexpr (pair_like<T>) {
        from.take_pair();
        return read_pair<T>(from);
    } else if constexpr (range_like<T> &&
                         requires(T& t) { t.insert(t.end(), std::declval<typename T::value_type>()); }) {
        return read_items<T>(from);
    } else {
        static_assert(!sizeof(T),
                      "a reply of Redis becomes a std::string, a number, a bool, or a std::optional, std::pair, list, "
                      "set or map of them; a struct is stored as JSON: get_json, set_json");
    }
}

/// Converts a whole reply, or returns its error.
template <class T>
result<T> convert_reply(std::string_view bytes, std::string_view command, bool hidden) {
    reply_reader from(bytes, command, hidden);
    if constexpr (std::is_void_v<T>) {
        from.take_any();
        if (from.failed()) return fail(std::move(from).error());
        return {};
    } else {
        T made = read_reply<T>(from);
        if (from.failed()) return fail(std::move(from).error());
        return made;
    }
}

}  // namespace apus::redis::detail
