// SPDX-License-Identifier: Apache-2.0
#include "nats/server_info.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace apus::nats;

namespace {

/// Returns an INFO as "MAX_PAYLOAD headers tls_required tls_available key", without the flags that are not set.
std::string shown(std::string_view json) {
    const auto made = read_info(json);
    if (!made) return "invalid";
    std::string text = std::to_string(made->max_payload);
    if (made->headers) text += " headers";
    if (made->tls_required) text += " tls_required";
    if (made->tls_available) text += " tls_available";
    if (made->needs_key) text += " key";
    return text;
}

}  // namespace

TEST_CASE("INFO of NATS servers") {
    const struct {
        const char *json, *shown;
    } examples[] = {
        {"{}", "1048576"},
        {R"({"server_id":"x","version":"2.9.10","proto":1,"go":"go1.19.8","host":"127.0.0.1","port":4222,"headers":true,
             "max_payload":1048576,"jetstream":true,"client_id":4,"client_ip":"127.0.0.1","connect_urls":["a:1"]})",
         "1048576 headers"},
        {R"({"headers":false,"max_payload":67108864,"tls_required":true})", "67108864 tls_required"},
        {R"({"tls_available":true,"max_payload":null})", "1048576 tls_available"},
        {R"({"auth_required":true,"nonce":"abc"})", "1048576 key"},
        // Servers with users and NKeys send a nonce too; without `auth_required` it has no effect.
        {R"({"nonce":"abc"})", "1048576"},
        {R"({"auth_required":true,"nonce":""})", "1048576"},
        {"", "invalid"},
        {"[]", "invalid"},
        {"{", "invalid"},
        {"{} x", "invalid"},
        {R"({"max_payload":0})", "invalid"},
        {R"({"max_payload":-1})", "invalid"},
        {R"({"max_payload":1e99})", "invalid"},
        {R"({"max_payload":"1"})", "invalid"},
        {R"({"headers":1})", "invalid"},
    };
    for (const auto& one : examples) {
        CAPTURE(one.json);
        CHECK(shown(one.json) == one.shown);
    }
}

TEST_CASE("CONNECT to NATS servers") {
    const auto json = [](const std::string& url, const server_info& info) {
        return connect_options({.to = read_url(url), .options = {.name = "shop"}, .tls = {}, .name = {}}, info);
    };
    const std::string plain = json("nats://h", {});
    CHECK(plain.contains(
        R"("verbose":false,"pedantic":false,"tls_required":false,"headers":false,"no_responders":false)"));
    CHECK(plain.contains(R"("name":"shop"})"));
    CHECK(!plain.contains("pass"));
    const std::string user = json("tls://ann:se%22cret@h", {.headers = true});
    CHECK(user.contains(R"("tls_required":true,"headers":true,"no_responders":true)"));
    CHECK(user.ends_with(R"(,"user":"ann","pass":"se\"cret"})"));
    CHECK(json("nats://t0ken@h", {}).ends_with(R"(,"auth_token":"t0ken"})"));
}
