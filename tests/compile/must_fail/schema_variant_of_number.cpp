// SPDX-License-Identifier: Apache-2.0
// error: each alternative of a variant in a schema must be an aggregate: its member "type" holds its name
#include <apus/json.hpp>

#include <variant>

struct circle {
    int radius;
};
struct square {
    int side;
};
struct drawing {
#ifdef OK
    std::variant<circle, square> shape;
#else
    std::variant<circle, int> shape;
#endif
};

std::string print(const drawing& value) { return apus::to_json(value); }
