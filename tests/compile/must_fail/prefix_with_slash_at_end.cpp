// SPDX-License-Identifier: Apache-2.0
// error: the prefix of a mounted app must not end in '/'
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.mount("/admin", {});
#else
    app.mount("/admin/", {});
#endif
}
