// SPDX-License-Identifier: Apache-2.0
// error: a field must be a bool, number, std::string, enumeration, time point, list, string-keyed map, optional, variant or aggregate, or of a type of apus
#include <apus/app.hpp>
#include <apus/json.hpp>

struct todo {
    int id;
};
class counter {
    int n = 0;

public:
    int next() { return n++; }
};

void build(apus::app& app) {
#ifdef OK
    app.post("/", [](apus::json<todo>) {});
#else
    app.post("/", [](apus::json<counter>) {});
#endif
}
