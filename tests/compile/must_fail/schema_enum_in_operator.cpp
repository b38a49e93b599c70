// SPDX-License-Identifier: Apache-2.0
// error: the enumerators of this type cannot be read: declare it outside of operators
#include <apus/json.hpp>

struct todo {
    int id;
};

#ifdef OK
enum class order { before, after };
#endif

inline auto operator<(const todo& a, const todo& b) {
#ifndef OK
    enum class order { before, after };
#endif
    return a.id < b.id ? order::before : order::after;
}

std::string print(const todo& a, const todo& b) { return apus::to_json(a < b); }
