// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"

#include <apus/serve.hpp>

#include <expected>
#include <string>
#include <vector>

namespace apus::server {

/// Where these options say to listen, with what is spoken there; last those for proxies with PROXY headers. The error
/// is a sentence: also for
/// https without certificates, for certificates without https, and where TLS is set and it is left
/// to be guessed which addresses it is for.
std::expected<std::vector<net::endpoint>, std::string> endpoints(const serve_options&);

}  // namespace apus::server
