// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/listener.hpp"
#include "server/inherited_sockets.hpp"

#include <apus/serve.hpp>

#include <expected>
#include <string>
#include <vector>

namespace apus::server {

/// A listening socket as it is passed to a successor. The cores own the descriptor.
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

/// Opens the sockets of all configured addresses, or takes inherited ones.
///
/// An inherited socket serves the configured address that it is bound to. Sockets of the service manager without a
/// configured address are served too: their name is `https` for TLS, and otherwise any for http. They replace
/// `serve_options::host` and `port`. Sockets of a predecessor without a configured address are closed.
///
/// Each core has its own socket of a group on the same address (SO_REUSEPORT). If there are fewer sockets than cores,
/// cores share them; if there are more, cores accept from several.
std::expected<listeners, std::string> open_listeners(const serve_options&, unsigned cores,
                                                     std::vector<inherited_socket>);

}  // namespace apus::server
