// SPDX-License-Identifier: Apache-2.0
// error: the bounds of a size rule are in the wrong order
#include <apus/json.hpp>
#include <apus/rules.hpp>

struct named {
#ifdef OK
    apus::text<1, 10> name;
#else
    apus::text<10, 1> name;
#endif
};

std::string print(const named& value) { return apus::to_json(value); }
