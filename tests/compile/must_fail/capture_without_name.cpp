// SPDX-License-Identifier: Apache-2.0
// error: a capture must have a name, such as {id}
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/{id}", [](int) {});
#else
    app.get("/{}", [](int) {});
#endif
}
