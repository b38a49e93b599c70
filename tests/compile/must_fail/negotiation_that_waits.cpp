// SPDX-License-Identifier: Apache-2.0
// error: the function of apus::offer must not be a coroutine: co_await its data before calling choose()
#include <apus/app.hpp>
#include <apus/negotiation.hpp>

void build(apus::app& app) {
#ifdef OK
    app.get("/",
            [](apus::negotiation wanted) { return wanted.choose(apus::offer<"text/plain">([] { return "text"; })); });
#else
    app.get("/", [](apus::negotiation wanted) {
        return wanted.choose(apus::offer<"text/plain">([]() -> apus::task<std::string> { co_return "text"; }));
    });
#endif
}
