// SPDX-License-Identifier: Apache-2.0
// error: a rule of sizes has its bounds in the wrong order
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
