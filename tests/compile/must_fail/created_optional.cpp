// SPDX-License-Identifier: Apache-2.0
// error: created<T> and with_status<N>(T) must hold the body itself: optional<created<T>>, not created<optional<T>>
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] { return std::optional(apus::created(std::string())); });
#else
    app.get("/", [] { return apus::created(std::optional<std::string>()); });
#endif
}
