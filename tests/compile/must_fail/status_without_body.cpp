// SPDX-License-Identifier: Apache-2.0
// error: 204, 205 and 304 have no body: return apus::with_status<204>()
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] { return apus::with_status<204>(); });
#else
    app.get("/", [] { return apus::with_status<204>(std::string("x")); });
#endif
}
