// SPDX-License-Identifier: Apache-2.0
// error: a field must be a bool, number, std::string, enumeration, time point, list, string-keyed map, optional, variant or aggregate, or of a type of apus
#include <apus/app.hpp>
#include <apus/json.hpp>

#include <map>

struct named {
    std::map<int, int> all;
};

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] { return std::map<std::string, int>(); });
#else
    app.get("/", [] { return named(); });
#endif
}
