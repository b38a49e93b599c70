// SPDX-License-Identifier: Apache-2.0
// Client addresses behind a proxy on this machine, and an id for each request.
#include <apus/app.hpp>
#include <apus/client_info.hpp>
#include <apus/log.hpp>
#include <apus/request_id.hpp>

apus::app make_app() {
    const apus::network_list proxies{"127.0.0.1", "::1", "unix"};
    apus::app app;
    app.use(apus::trusted_proxies(proxies));
    app.use(apus::request_ids(proxies));

    app.get("/", [](const apus::client_info& client) {
        return "You are " + client.address + " and came by " + client.scheme + ".\n";
    });
    app.post("/orders", [](const apus::client_info& client) {
        apus::log::add({"client", client.address});  // to all later records of this request
        apus::log::info("order taken", {"order", 1});
        return apus::created<std::string>{"order 1\n"};
    });
    return app;
}

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
