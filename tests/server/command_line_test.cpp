// SPDX-License-Identifier: Apache-2.0
#include "server/command_line.hpp"
#include "server/route_listing.hpp"

#include <apus/app.hpp>
#include <apus/tls.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace apus;

namespace {

std::expected<server::command_line, std::string> read(std::vector<std::string> args, serve_options defaults = {}) {
    args.insert(args.begin(), "program");
    std::vector<char*> argv;
    for (auto& a : args) argv.push_back(a.data());
    return server::read_command_line(static_cast<int>(argv.size()), argv.data(), std::move(defaults));
}

std::string seen_of_sandbox(const sandbox_options& o) {
    std::string all;
    if (o.mode == sandbox_mode::available) all += "sandbox ";
    if (o.mode == sandbox_mode::required) all += "sandbox=required ";
    for (auto& p : o.read) all += "read=" + p + " ";
    for (auto& p : o.write) all += "write=" + p + " ";
    for (auto& p : o.allow_exec) all += "exec=" + p + " ";
    for (auto port : o.connect) all += "connect=" + std::to_string(port) + " ";
    if (o.connect_unix) all += "connect=unix ";
    return all;
}

// Returns the options that differ from their defaults, or the error.
std::string seen(std::vector<std::string> args) {
    auto line = read(std::move(args));
    if (!line) return line.error();
    const serve_options usual;
    std::string all;
    auto& o = line->options;
    if (line->wants_help) all += "help ";
    if (line->wants_routes) all += "routes ";
    if (o.host != usual.host) all += "host=" + o.host + " ";
    if (o.port != usual.port) all += "port=" + std::to_string(o.port) + " ";
    if (o.cores != usual.cores) all += "cores=" + std::to_string(o.cores) + " ";
    for (auto& l : o.listen) all += "listen=" + l + " ";
    for (auto& l : o.listen_proxied) all += "listen-proxied=" + l + " ";
    for (auto& p : o.proxies) all += "proxy=" + p + " ";
    if (o.access_log) all += "access-log ";
    if (o.defer_accept) all += "defer-accept ";
    if (o.drain != usual.drain) all += "drain=" + std::to_string(o.drain.milliseconds()) + "ms ";
    all += seen_of_sandbox(o.sandbox);
    if (!all.empty()) all.pop_back();
    return all;
}

}  // namespace

TEST_CASE("arguments set options, and invalid ones are named") {
    const struct {
        std::vector<std::string> args;
        std::string_view seen;
    } cases[] = {
        {{}, ""},
        {{"--port", "0"}, "port=0"},
        {{"--port=65535"}, "port=65535"},
        {{"--host", "::", "--cores", "4"}, "host=:: cores=4"},
        {{"--host=0.0.0.0", "--cores=0"}, "host=0.0.0.0"},
        {{"--listen", "unix:/a", "--listen=[::1]:80"}, "listen=unix:/a listen=[::1]:80"},
        {{"--listen-proxied", "unix:/a", "--proxy=unix", "--proxy", "10.0.0.0/8"},
         "listen-proxied=unix:/a proxy=unix proxy=10.0.0.0/8"},
        {{"--access-log"}, "access-log"},
        {{"--defer-accept"}, "defer-accept"},
        {{"--routes"}, "routes"},
        {{"--sandbox"}, "sandbox"},
        {{"--sandbox=required", "--sandbox"}, "sandbox=required"},
        {{"--sandbox-read", "/a", "--sandbox-read=/b"}, "sandbox read=/a read=/b"},
        {{"--sandbox-write", "/a", "--sandbox-exec", "/b"}, "sandbox write=/a exec=/b"},
        {{"--sandbox-connect", "5432", "--sandbox-connect=unix"}, "sandbox connect=5432 connect=unix"},
        {{"--sandbox=yes"}, "unknown option `--sandbox=yes`"},
        {{"--sandbox-connect", "0"}, "--sandbox-connect takes a number from 1 to 65535, not `0`"},
        {{"--sandbox-connect", "http"}, "--sandbox-connect takes a number from 1 to 65535, not `http`"},
        {{"--drain", "5"}, "drain=5000ms"},
        {{"--drain=0"}, "drain=0ms"},
        {{"--port", "1", "--port", "2"}, "port=2"},
        {{"--help"}, "help"},
        {{"-h", "--port", "1"}, "help port=1"},
        {{"--port"}, "--port needs a value"},
        {{"--port", "65536"}, "--port takes a number from 0 to 65535, not `65536`"},
        {{"--port", "-1"}, "--port takes a number from 0 to 65535, not `-1`"},
        {{"--port", "80 "}, "--port takes a number from 0 to 65535, not `80 `"},
        {{"--port="}, "--port takes a number from 0 to 65535, not ``"},
        {{"--port", "http"}, "--port takes a number from 0 to 65535, not `http`"},
        {{"--cores", "1025"}, "--cores takes a number from 0 to 1024, not `1025`"},
        {{"--drain", "86401"}, "--drain takes a number from 0 to 86400, not `86401`"},
        {{"--drain", "99999999999999999999"}, "--drain takes a number from 0 to 86400, not `99999999999999999999`"},
        {{"--prot", "80"}, "unknown option `--prot`; did you mean `--port`?"},
        {{"--prot=80"}, "unknown option `--prot=80`; did you mean `--port`?"},
        {{"--acces-log"}, "unknown option `--acces-log`; did you mean `--access-log`?"},
        {{"80"}, "unknown option `80`"},
        {{""}, "unknown option ``"},
        {{"--access-log=yes"}, "unknown option `--access-log=yes`"},
        {{"--listen"}, "--listen needs a value"},
    };
    for (const auto& c : cases) {
        std::string all;
        for (auto& a : c.args) (all += a) += ' ';
        CAPTURE(all);
        CHECK(seen(c.args) == c.seen);
    }
}

TEST_CASE("the program's options are kept unless the command line sets them") {
    serve_options own;
    own.host = "::1";
    own.port = 1;
    own.access_log = true;
    auto line = read({"--port", "2"}, own);
    REQUIRE(line);
    CHECK(line->options.host == "::1");
    CHECK(line->options.port == 2);
    CHECK(line->options.access_log);
}

TEST_CASE("the usage lists every option") {
    const std::string text = server::usage("./app", true);
    CHECK(text.starts_with("Usage: ./app [options]\n"));
    for (auto option :
         {"--host", "--port", "--listen", "--listen-proxied", "--proxy", "--cores", "--drain", "--access-log",
          "--defer-accept", "--sandbox", "--sandbox-read", "--sandbox-write", "--sandbox-exec", "--sandbox-connect",
          "--help", "--certificate", "--key", "--ocsp", "--self-signed"})
        CHECK(text.contains(option));
    CHECK(!server::usage("./app", false).contains("--certificate"));
}

TEST_CASE("certificates require TLS in the program, each with its key") {
    const auto named = [](std::vector<std::string> args) {
        serve_options secure;
        secure.tls = server_tls(server_tls_options());
        auto line = read(std::move(args), secure);
        if (!line) return line.error();
        std::string all = line->self_signs ? "self-signed " : "";
        for (const auto& f : line->certificates) all += f.certificate + "+" + f.key + "+" + f.ocsp + " ";
        return all;
    };
    CHECK(named({"--certificate", "a.pem", "--key", "a.key", "--certificate=b.pem"}) == "a.pem+a.key+ b.pem++ ");
    CHECK(named({"--certificate", "a.pem", "--ocsp", "a.der", "--key", "a.key"}) == "a.pem+a.key+a.der ");
    CHECK(named({"--ocsp", "a.der"}) == "--ocsp must follow the --certificate it belongs to");
    CHECK(named({"--self-signed"}) == "self-signed ");
    CHECK(named({"--key", "a.key"}) == "--key must follow the --certificate it belongs to");
    CHECK(seen({"--certificate", "a.pem"}) == "--certificate: this program has no TLS");
    CHECK(seen({"--self-signed"}) == "--self-signed: this program has no TLS");
}

TEST_CASE("routes are listed, including mounted apps") {
    const auto make = [] {
        app part, whole;
        part.get("/{id}", [](int) { return "x"; });
        whole.get("/", [] { return "x"; });
        whole.post("/", [] { return "x"; });
        whole.mount("/parts", std::move(part));
        return whole;
    };
    CHECK(server::list_routes(apus::detail::make_with(make)) == "GET /\nPOST /\nGET /parts/{id}\n");
}

TEST_CASE("the table of options has each option of the usage") {
    const std::string text = server::options_usage(true);
    int found = 0;
    for (std::size_t at = 0; (at = text.find("--", at)) != text.npos;) {
        const std::size_t end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at), text.size());
        const std::string option = text.substr(at, end - at);
        at = end;
        INFO(option);
        CHECK(server::is_option(option));
        ++found;
    }
    CHECK(found > 20);
}

TEST_CASE("each option of the table is parsed") {
    for (const std::string_view option : server::option_names()) {
        INFO(option);
        serve_options defaults;
        defaults.tls = server_tls(server_tls_options{});
        std::vector<std::string> args{std::string(option)};
        if (server::takes_value(option)) args.emplace_back("80");
        if (option == "--key" || option == "--ocsp") args.insert(args.begin(), {"--certificate", "a"});
        CHECK(read(args, std::move(defaults)));
    }
}
