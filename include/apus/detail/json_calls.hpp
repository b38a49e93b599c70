// SPDX-License-Identifier: Apache-2.0
#pragma once

// Declarations of <apus/json.hpp>, for headers whose templates use them if the program includes it.

#include <apus/result.hpp>

#include <string>
#include <string_view>

namespace apus {

/// See <apus/json.hpp>.
template <class T>
struct json;
/// See <apus/json.hpp>.
template <class T>
result<T> from_json(std::string_view text);
/// See <apus/json.hpp>.
template <class T>
std::string to_json(const T& value);
/// See <apus/json.hpp>.
template <class T>
std::string to_json_with_secrets(const T& value);

namespace detail {

/// False unless the program includes <apus/json.hpp>.
template <class T>
concept has_json = requires { sizeof(json<T>); };

}  // namespace detail

}  // namespace apus
