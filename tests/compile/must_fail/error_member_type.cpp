// SPDX-License-Identifier: Apache-2.0
// error: a member of an error must be a bool, a number or a text; with <apus/json.hpp> also a struct, a list or a map
#include <apus/app.hpp>

struct seat {
    int number;
};

void build(apus::app& app) {
#ifdef OK
    app.get("/", []() -> apus::result<void> { return apus::fail(409, "no").with("seat", 7); });
#else
    app.get("/", []() -> apus::result<void> { return apus::fail(409, "no").with("seat", seat{7}); });
#endif
}
