// SPDX-License-Identifier: Apache-2.0
// error: the prefix of a mounted app must not have captures
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.mount("/users", {});
#else
    app.mount("/{user}", {});
#endif
}
