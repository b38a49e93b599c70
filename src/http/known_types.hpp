// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace apus::http {

/// Content-Type line of a common media type.
/// A response stores only its index in `known_types`. All lines have the same capacity, so that copying a line takes a
/// few instructions and no call.
struct type_line {
    static constexpr std::size_t room = 64;

    template <std::size_t N>
    consteval type_line(const char (&type)[N]) {
        for (std::string_view part :
             {std::string_view("Content-Type: "), std::string_view(type, N - 1), std::string_view("\r\n")})
            for (char c : part) bytes[size++] = c;
    }
    constexpr std::string_view type() const noexcept { return {bytes + 14, size - 16}; }

    char bytes[room] = {};
    std::size_t size = 0;
};

inline constexpr type_line known_types[] = {
    "",  // no Content-Type
    "text/plain; charset=utf-8",
    "application/json",
    "text/html; charset=utf-8",
    "application/problem+json",
    "application/octet-stream",
};

}  // namespace apus::http
