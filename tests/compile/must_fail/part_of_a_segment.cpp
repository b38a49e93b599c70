// SPDX-License-Identifier: Apache-2.0
// error: a capture must be a whole segment, from slash to slash
#include <apus/app.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/file/{name}", [](std::string) {});
#else
    app.get("/file-{name}", [](std::string) {});
#endif
}
