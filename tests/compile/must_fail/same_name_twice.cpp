// SPDX-License-Identifier: Apache-2.0
// error: two captures of a route have the same name
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/{a}/{b}", [](int, int) {});
#else
    app.get("/{a}/{a}", [](int, int) {});
#endif
}
