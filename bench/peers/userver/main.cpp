// SPDX-License-Identifier: Apache-2.0

#include "answers.hpp"

#include <cstdlib>
#include <iostream>

namespace {

int number_from(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

}  // namespace

int main() {
    const char* data = std::getenv("DATA");
    if (!data) {
        std::cerr << "userver: set DATA to the folder with static, dataset.json, cert.pem and key.pem\n";
        return 1;
    }
    const peer::options options{number_from("PORT", 8080), number_from("TLS_PORT", 0), number_from("THREADS", 1), data};
    peer::service service(options);
    peer::add_texts(service);
    peer::add_bodies(service);
    peer::add_items(service, options.data + "/dataset.json");
    peer::add_static(service, options.data);
    peer::add_middlewares(service);
    peer::add_sockets(service);
    if (options.tls_port != 0) peer::add_tls(service);
    service.run();
}
