// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

namespace apus::detail {

/// Request value that a handler or middleware requires. A null `spelled` ends an array.
struct needed_value {
    const void* key = nullptr;      ///< Null: the parameter is not a request value.
    const char* spelled = nullptr;  ///< __PRETTY_FUNCTION__, which contains "T = " and the type.
    const char* setter = nullptr;   ///< The only middleware that sets the value; null: any middleware may set it.
    const char* by = nullptr;       ///< As `spelled`, for the middleware that requires the value; null: a handler.
};
void put_no_value(const needed_value&, response& out);  ///< 500: no middleware has set the value.

template <class T>
constexpr const char* spell() noexcept {
    return __PRETTY_FUNCTION__;
}

template <class T>
inline constexpr needed_value needed{&type_key<std::remove_const_t<T>>, spell<T>(),
                                     only_setter<std::remove_const_t<T>>};

}  // namespace apus::detail
