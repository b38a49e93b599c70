// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <apus/serve.hpp>

#include <expected>
#include <string>
#include <vector>

namespace apus::server {

/// Returns the endpoints to listen on, with their protocols. Endpoints with PROXY headers are last.
/// Returns a message on failure: invalid addresses, https without certificates, certificates without https, and TLS
/// with ambiguous addresses.
/// `activated`: a service manager has passed sockets, which replace `host` and `port`, and of which one may be https.
std::expected<std::vector<net::endpoint>, std::string> endpoints(const serve_options&, bool activated = false);

}  // namespace apus::server
