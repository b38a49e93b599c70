// SPDX-License-Identifier: Apache-2.0
// error: two alternatives of a variant have the same tag
#include <apus/json.hpp>

#include <variant>

struct circle {
    int radius;
};
struct square {
    int side;
#ifndef OK
    static constexpr std::string_view tag = "circle";
#endif
};
struct drawing {
    std::variant<circle, square> shape;
};

std::string print(const drawing& value) { return apus::to_json(value); }
