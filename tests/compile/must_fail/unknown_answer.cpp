// SPDX-License-Identifier: Apache-2.0
// error: a handler must return text, response, no_content, optional<T>, result<T>, created<T>, with_status<N>(T), a variant of these, nothing, or a task of these
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] { return apus::no_content(); });
#else
    app.get("/", [] { return apus::limits(); });
#endif
}
