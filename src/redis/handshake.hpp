// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "outbound/connecting.hpp"
#include "redis/address.hpp"
#include "runtime/loop.hpp"

#include <apus/client.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus::redis {

using outbound::transport_ptr;

/// Account and database of a connection.
struct account {
    std::string_view user;      ///< Empty: the user "default".
    std::string_view password;  ///< Empty: no authentication.
    unsigned database = 0;
};

/// Facts that a server reports in its reply to HELLO.
struct server_facts {
    std::string mode;  ///< "standalone", "sentinel" or "cluster"; empty if the server does not report it.
    std::string role;  ///< "master" or "replica"; empty if the server does not report it.
};

// The tasks keep references to their arguments: cancel a task before they are destroyed. Errors are those of
// `unreachable`. `due` is in milliseconds of the loop's clock.

/// Establishes a connection, with TLS unless `tls` is empty.
task<transport_ptr> dial(runtime::loop&, const host_port& to, const client_tls& tls, std::uint64_t due);
/// Establishes a connection to a Unix socket.
task<transport_ptr> dial_path(runtime::loop&, const std::string& path, std::uint64_t due);
/// Authenticates, and selects RESP3 and the database.
task<server_facts> greet(outbound::transport&, account, std::uint64_t due);
/// Returns the next reply, without messages that are not replies.
/// `command`: for error messages.
task<std::string> read_reply(outbound::transport&, std::string_view command, std::uint64_t due);

/// Reads the reply to HELLO.
/// Ignores members of other types. `reply` must be complete and well-formed.
server_facts read_facts(std::string_view reply);

/// Converts a host and port that a server has named; nullopt if they are invalid.
std::optional<host_port> read_host_port(std::string_view host, std::string_view port);
std::optional<host_port> read_host_port(std::string_view host, std::int64_t port);

}  // namespace apus::redis
