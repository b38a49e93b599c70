// SPDX-License-Identifier: Apache-2.0
// error: an enumeration in a schema must have an enumerator from -128 to 1023
#include <apus/json.hpp>

enum class level {
#ifdef OK
    low = -128,
#else
    low = -129,
#endif
    high = 5000
};
struct sensor {
    level now;
};

std::string print(const sensor& value) { return apus::to_json(value); }
