// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace apus {

template <class T>
class secret;

}  // namespace apus

namespace apus::redis::detail {

/// A command with its arguments, in the format of Redis.
class command_text {
public:
    explicit command_text(std::string_view name) : name_(name) { add(name); }
    void add(std::string_view argument);
    void add_integer(long long);
    void add_natural(unsigned long long);
    void add_real(double);  // the shortest text for the same value

    void add_others(const command_text&);  // all arguments of a command, without its name

    void hide() noexcept { hidden_ = true; }
    bool hidden() const noexcept { return hidden_; }  // an argument is secret, so errors must not repeat arguments
    const std::string& name() const noexcept { return name_; }
    std::size_t arguments() const noexcept { return count_; }
    std::size_t size() const noexcept { return body_.size(); }
    const std::string& body() const noexcept { return body_; }  // the name and all arguments, as bulk strings
    void append_to(std::string& wire) const;

private:
    std::string name_, body_;
    std::size_t count_ = 0;
    bool hidden_ = false;
};

template <class T>
inline constexpr bool is_secret = false;
template <class T>
inline constexpr bool is_secret<secret<T>> = true;

template <class T>
concept pair_like = requires {
    typename T::first_type;
    typename T::second_type;
};
template <class T>
concept range_like = requires(const T& t) {
    t.begin();
    t.end();
};

/// Adds a value as one argument, a range as one per item, and a map as two arguments per entry.
template <class T>
void add_argument(command_text& to, const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view>) to.add(value);
    else if constexpr (is_secret<T>) to.hide(), add_argument(to, value.reveal());
    else if constexpr (std::is_same_v<T, bool>) to.add(value ? "1" : "0");
    else if constexpr (std::is_floating_point_v<T>) to.add_real(static_cast<double>(value));
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) to.add_integer(value);
    else if constexpr (std::is_integral_v<T>) to.add_natural(value);
    else if constexpr (pair_like<T>) add_argument(to, value.first), add_argument(to, value.second);
    else if constexpr (range_like<T>)
        for (const auto& one : value) add_argument(to, one);
    else
        static_assert(!sizeof(T),
                      "an argument of a Redis command must be a text, a number, a bool, a secret, or a range or map of "
                      "them; print structs by apus::to_json");
}

template <class... A>
command_text make_command(std::string_view name, const A&... arguments) {
    command_text made(name);
    (add_argument(made, arguments), ...);
    return made;
}

}  // namespace apus::redis::detail
