// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

namespace apus::detail {

/// Common base of `json<T>`, `query<T>` and similar parameters:
/// a T, accessed by `*` and `->`.
template <class T>
struct held_value {
    T value;  ///< The value sent by the client.

    constexpr held_value() : value{} {
        static_assert(std::is_default_constructible_v<T>,
                      "a struct for input must be default-constructible: give each field a default");
    }
    constexpr held_value(T of) : value(std::move(of)) {}

    T& operator*() & noexcept { return value; }
    const T& operator*() const& noexcept { return value; }
    T&& operator*() && noexcept { return static_cast<T&&>(value); }
    T* operator->() noexcept { return &value; }
    const T* operator->() const noexcept { return &value; }
};

}  // namespace apus::detail
