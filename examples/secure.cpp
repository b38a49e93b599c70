// SPDX-License-Identifier: Apache-2.0
// HTTPS: try it with `--self-signed`, and `curl -k https://127.0.0.1:8443`.
#include <apus/allowed_hosts.hpp>
#include <apus/app.hpp>
#include <apus/client.hpp>
#include <apus/https_redirect.hpp>
#include <apus/security_headers.hpp>
#include <apus/tls.hpp>

#include <string>

namespace {

apus::app make_app(const apus::client_tls& trusted) {
    apus::client_options asking;
    asking.tls = trusted;
    const apus::client http(asking);

    apus::app app;
    app.use(apus::allowed_hosts({"shop.example", "localhost", "127.0.0.1"}));
    app.use(apus::https_redirect({.port = 8443}));
    app.use(apus::security_headers());
    app.get("/", [] { return "Nobody else reads this.\n"; });
    app.get("/me", [](apus::request& req) {
        const apus::tls_info* tls = apus::tls_of(req);
        const std::string who = tls && tls->peer ? tls->peer->subject : "somebody";
        return "You are " + who + ".\n";
    });
    app.get("/elsewhere", [http]() -> apus::task<std::string> {
        auto answer = co_await http.get("https://example.org/");
        co_return std::move(answer).body();
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::server_tls_options tls;
    tls.certificates = {{.certificate = "server.pem", .key = "server.key"}};

    apus::serve_options options;
    options.listen = {"https://127.0.0.1:8443", "http://127.0.0.1:8080"};
    options.tls = apus::server_tls(tls);

    const apus::client_tls trusted{apus::client_tls_options()};  // once for all cores
    return apus::serve([&] { return make_app(trusted); }, argc, argv, options);
}
