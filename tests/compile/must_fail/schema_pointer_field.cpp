// SPDX-License-Identifier: Apache-2.0
// error: JSON cannot represent the type of this field: a field must be a bool, number, std::string, enumeration, time point, list, string-keyed map, optional, variant or aggregate, or of a type of apus
#include <apus/json.hpp>

struct broken {
#ifdef OK
    int x;
#else
    int* x;
#endif
};

std::string print(const broken& value) { return apus::to_json(value); }
