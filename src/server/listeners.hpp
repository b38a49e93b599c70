// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/listener.hpp"
#include "server/inherited_sockets.hpp"

#include <apus/serve.hpp>

#include <expected>
#include <string>
#include <vector>

namespace apus::server {

/// A listening socket that is passed to a successor. The cores own the descriptor.
struct passed_socket {
    int fd;
    std::string name;
};

/// The listening sockets of a server.
struct listeners {
    std::vector<std::vector<net::listener>> of_core;
    std::vector<std::string> urls;       ///< One for each address.
    std::vector<passed_socket> sockets;  ///< Each socket once.
    bool stale_store = false;            ///< The service manager keeps sockets that are no longer configured.
};

/// Opens the sockets of all configured addresses, or takes inherited sockets.
///
/// An inherited socket is used for the configured address that it is bound to. A socket of the service manager is used
/// even if its address is not configured: with TLS if its name is `https`, otherwise without. Such sockets replace
/// `serve_options::host` and `port`. A socket of a predecessor is closed if its address is not configured.
///
/// For each address, every core has its own socket, bound to the same port (SO_REUSEPORT). If fewer sockets than cores
/// are inherited, cores share sockets. If more are inherited, cores accept from several sockets.
std::expected<listeners, std::string> open_listeners(const serve_options&, unsigned cores,
                                                     std::vector<inherited_socket>);

}  // namespace apus::server
