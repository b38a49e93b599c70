// SPDX-License-Identifier: Apache-2.0
#include "configuration/server_table.hpp"

#include <doctest/doctest.h>

using namespace apus::configuration;

TEST_CASE("the table of the server replaces the options that it has") {
    apus::serve_options options;
    options.listen = {"unix:/a"};
    options.cores = 3;
    apply({}, options);
    CHECK(options.listen.size() == 1);
    CHECK(options.cores == 3);
    apply({.host = "::", .port = 1, .cores = 2, .drain = 5, .readiness_grace = 6, .access_log = true}, options);
    CHECK(options.listen.empty());
    CHECK(options.host == "::");
    CHECK(options.port == 1);
    CHECK(options.cores == 2);
    CHECK(options.drain == apus::seconds(5));
    CHECK(options.readiness_grace == apus::seconds(6));
    CHECK(options.access_log);
    apply({.port = 2,
           .listen = {{"unix:/b"}},
           .listen_proxied = {{"unix:/c"}},
           .proxies = {{"unix"}},
           .admin = "unix:/d",
           .pid_file = "/e"},
          options);
    CHECK(options.listen == std::vector<std::string>{"unix:/b"});
    CHECK(options.listen_proxied == std::vector<std::string>{"unix:/c"});
    CHECK(options.proxies == std::vector<std::string>{"unix"});
    CHECK(options.admin == "unix:/d");
    CHECK(options.pid_file == "/e");
    CHECK(type_of_server_table().field_count == 11);
}
