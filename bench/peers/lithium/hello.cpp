// SPDX-License-Identifier: Apache-2.0

#include <lithium_http_server.hh>

int main() {
    li::http_api api;
    api.get("/") = [](li::http_request&, li::http_response& response) { response.write("Hello, World!"); };
    li::http_serve(api, 8080);
}
