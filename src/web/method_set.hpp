// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <cstdint>
#include <string>

namespace apus::web {

constexpr unsigned routable_methods = 7;  // the enumerators from `get` to `options`, which are first in `method`

/// A set of methods that a route can have.
class method_set {
public:
    constexpr method_set() noexcept = default;
    constexpr explicit method_set(method m) noexcept
        : bits_(static_cast<std::uint16_t>(1u << static_cast<unsigned>(m))) {}

    constexpr bool empty() const noexcept { return bits_ == 0; }
    constexpr bool has(method m) const noexcept { return bits_ & method_set(m).bits_; }
    constexpr bool meets(method_set other) const noexcept { return bits_ & other.bits_; }
    constexpr method_set& operator|=(method_set other) noexcept {
        bits_ = static_cast<std::uint16_t>(bits_ | other.bits_);
        return *this;
    }
    friend constexpr method_set operator|(method_set a, method_set b) noexcept { return a |= b; }
    friend constexpr bool operator==(method_set, method_set) noexcept = default;

private:
    std::uint16_t bits_ = 0;
};

/// Returns the value of an Allow field (RFC 9110, 10.2.1) for routes with these methods.
/// Adds OPTIONS, and HEAD if the methods include GET: the app responds to OPTIONS and HEAD without a route.
std::string allow_field(method_set routes);

/// Returns the name of a method that a route can have.
std::string_view method_name(method m) noexcept;

}  // namespace apus::web
