// SPDX-License-Identifier: Apache-2.0
// error: a handler must return text, response, no_content, optional<T>, result<T>, created<T>, with_status<N>(T), a variant of these, nothing, or a task of these; with <apus/json.hpp> also a struct, a list or a map
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/", [] { return std::to_string(5); });
#else
    app.get("/", [] { return 5; });
#endif
}
