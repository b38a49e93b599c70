// SPDX-License-Identifier: Apache-2.0
// error: the status of a response must be from 200 to 599
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] { return apus::with_status<202>(); });
#else
    app.get("/", [] { return apus::with_status<101>(); });
#endif
}
