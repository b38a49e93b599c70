// SPDX-License-Identifier: Apache-2.0
#include "nats/server_info.hpp"

#include <apus/json.hpp>

#include <cstdint>

namespace apus::nats {
namespace {

struct info_fields {
    std::int64_t max_payload = 1 << 20;
    bool headers = false, auth_required = false, tls_required = false, tls_available = false;
    std::optional<std::string> nonce = {};
};

// Names of the members are those of the protocol.
struct connect_fields {
    bool verbose = false, pedantic = false, tls_required = false, headers = false, no_responders = false, echo = true;
    int protocol = 1;
    std::string lang = "apus", version = "1", name;
};

struct user_fields {
    std::string user, pass;
};

struct token_fields {
    std::string auth_token;
};

// Adds the members of a JSON object to another one.
void join(std::string& to, std::string_view other) {
    to.back() = ',';
    to.append(other.substr(1));
}

}  // namespace

std::optional<server_info> read_info(std::string_view json) {
    const auto read = from_json<info_fields>(json, {.ignore_unknown_fields = true, .null_keeps_initial_value = true});
    if (!read || read->max_payload <= 0) return std::nullopt;
    return server_info{.max_payload = static_cast<std::size_t>(read->max_payload),
                       .headers = read->headers,
                       .tls_required = read->tls_required,
                       .tls_available = read->tls_available,
                       .needs_key = read->auth_required && read->nonce && !read->nonce->empty()};
}

std::string connect_options(const shared_state& of, const server_info& info) {
    std::string made = to_json(connect_fields{
        .tls_required = of.to.secure, .headers = info.headers, .no_responders = info.headers, .name = of.options.name});
    if (!of.to.user.empty()) join(made, to_json(user_fields{of.to.user, of.to.password}));
    if (!of.to.token.empty()) join(made, to_json(token_fields{of.to.token}));
    return made;
}

}  // namespace apus::nats
