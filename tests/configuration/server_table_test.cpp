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
    apply({.host = "::",
           .port = 1,
           .cores = 2,
           .drain = 5,
           .readiness_grace = 6,
           .access_log = true,
           .defer_accept = true},
          options);
    CHECK(options.listen.empty());
    CHECK(options.host == "::");
    CHECK(options.port == 1);
    CHECK(options.cores == 2);
    CHECK(options.drain == apus::seconds(5));
    CHECK(options.readiness_grace == apus::seconds(6));
    CHECK(options.access_log);
    CHECK(options.defer_accept);
    apply({.port = 2,
           .listen = {{"unix:/b"}},
           .listen_proxied = {{"unix:/c"}},
           .proxies = {{"unix"}},
           .admin = "unix:/d",
           .pid_file = "/e",
           .crash_folder = "/f"},
          options);
    CHECK(options.listen == std::vector<std::string>{"unix:/b"});
    CHECK(options.listen_proxied == std::vector<std::string>{"unix:/c"});
    CHECK(options.proxies == std::vector<std::string>{"unix"});
    CHECK(options.admin == "unix:/d");
    CHECK(options.pid_file == "/e");
    CHECK(options.crash_folder == "/f");
    CHECK(options.sandbox.mode == apus::sandbox_mode::off);
    CHECK(type_of_server_table().field_count == 14);
}

TEST_CASE("the table of the sandbox adds to the paths and ports of the program") {
    using apus::sandbox_mode;
    apus::serve_options options;
    options.sandbox.write = {"/a"};
    options.sandbox.connect = {1};
    const auto with = [&](const sandbox_table& given) {
        auto made = options;
        apply({.sandbox = given}, made);
        return made.sandbox;
    };
    const auto all = with({.read = {"/r"},
                           .write = {"/w"},
                           .allow_exec = {"/x"},
                           .connect = {apus::integer<1, 65535>{65535}},
                           .connect_unix = true});
    CHECK(all.mode == sandbox_mode::available);
    CHECK(all.read == std::vector<std::string>{"/r"});
    CHECK(all.write == std::vector<std::string>{"/a", "/w"});
    CHECK(all.allow_exec == std::vector<std::string>{"/x"});
    CHECK(all.connect == std::vector<std::uint16_t>{1, 65535});
    CHECK(all.connect_unix);
    CHECK(with({}).mode == sandbox_mode::off);
    CHECK(with({.mode = sandbox_mode::required}).mode == sandbox_mode::required);
    CHECK(with({.mode = sandbox_mode::off, .read = {"/r"}}).mode == sandbox_mode::off);
    CHECK(with({.connect_unix = false}).mode == sandbox_mode::off);
    options.sandbox.mode = sandbox_mode::required;
    CHECK(with({.read = {"/r"}}).mode == sandbox_mode::required);
}
