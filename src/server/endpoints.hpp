// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <apus/serve.hpp>

#include <expected>
#include <string>
#include <vector>

namespace apus::server {

/// Returns the endpoints to listen on, with their protocols. Endpoints with PROXY headers are last.
/// Returns a message on failure: an invalid address, https without certificates, certificates without an https address,
/// or an address without a scheme if the server has TLS.
/// `activated`: a service manager has passed sockets. These sockets replace `host` and `port`, and one socket may be
/// https.
std::expected<std::vector<net::endpoint>, std::string> endpoints(const serve_options&, bool activated = false);

}  // namespace apus::server
