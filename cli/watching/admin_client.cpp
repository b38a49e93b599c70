// SPDX-License-Identifier: Apache-2.0
#include "cli/watching/admin_client.hpp"

#include <utility>

#include "cli/errors/failure.hpp"

namespace apus::cli::watching {

namespace {

using system::http_client;

constexpr std::string_view start_hint =
    "start the server with `--admin 127.0.0.1:9090`, and pass the same address: `apus top --admin 127.0.0.1:9090`";

[[noreturn]] void fail(const std::string& where, const std::string& why, std::string hint = std::string(start_hint)) {
    throw errors::failure("E0320", "no administration at `" + where + "`: " + why, std::move(hint));
}

http_client client_for(const std::string& where) {
    try {
        return http_client(where);
    } catch (const http_client::error& why) {
        fail(where, why.what());
    }
}

http_client::response ask(const http_client& client, const std::string& where, std::string_view path,
                          std::string_view accept, std::chrono::milliseconds longest) {
    try {
        return client.get(path, accept, longest);
    } catch (const http_client::error& why) {
        fail(where, why.what());
    }
}

}  // namespace

admin_client::admin_client(std::string_view where) : where_(where), client_(client_for(where_)) {}

std::string admin_client::get(std::string_view path, std::string_view accept, std::chrono::milliseconds longest) const {
    http_client::response got = ask(client_, where_, path, accept, longest);
    if (got.status != 200)
        fail(where_, "the response to " + std::string(path) + " has the status " + std::to_string(got.status),
             got.status == 404 ? "this may be the public address of a server; " + std::string(start_hint)
                               : std::string(start_hint));
    return std::move(got.body);
}

}  // namespace apus::cli::watching
