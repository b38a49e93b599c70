// SPDX-License-Identifier: Apache-2.0
// error: a handler must return text, response, no_content, optional<T>, result<T>, created<T>, with_status<N>(T), a variant of these, nothing, or a task of these; with <apus/json.hpp> also a struct, a list or a map
#include <apus/app.hpp>

struct todo {
    int id;
};

void build(apus::app& app) {
#ifdef OK
    app.get("/", []() -> apus::result<std::string> { return "todo"; });
#else
    app.get("/", []() -> apus::result<todo> { return todo{1}; });
#endif
}
