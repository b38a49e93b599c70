// SPDX-License-Identifier: Apache-2.0
// error: an alternative of a variant must not have a field "type", which holds its name
#include <apus/json.hpp>

#include <variant>

struct circle {
#ifdef OK
    int radius;
#else
    int type;
#endif
};
struct square {
    int side;
};
struct drawing {
    std::variant<circle, square> shape;
};

std::string print(const drawing& value) { return apus::to_json(value); }
