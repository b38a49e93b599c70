// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

namespace apus::detail {

/// What `json<T>`, `query<T>` and their like are beside the place they are read from: a T, reached by
/// `*` and `->`.
template <class T>
struct held_value {
    T value;  ///< What was sent.

    constexpr held_value() : value{} {
        static_assert(std::is_default_constructible_v<T>,
                      "what is read is made without values first: give each field of the struct a default");
    }
    constexpr held_value(T of) : value(std::move(of)) {}

    T& operator*() & noexcept { return value; }
    const T& operator*() const& noexcept { return value; }
    T&& operator*() && noexcept { return static_cast<T&&>(value); }
    T* operator->() noexcept { return &value; }
    const T* operator->() const noexcept { return &value; }
};

}  // namespace apus::detail
