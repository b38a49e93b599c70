// SPDX-License-Identifier: Apache-2.0
// error: a query must be a struct of bools, numbers, texts, times, enumerations, and optionals and lists of these
#include <apus/app.hpp>
#include <apus/query.hpp>

struct inner {
    int x;
};
struct search {
#ifdef OK
    int in;
#else
    inner in;
#endif
};

void build(apus::app& app) {
    app.get("/", [](apus::query<search>) {});
}
