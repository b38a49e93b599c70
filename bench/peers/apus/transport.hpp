// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/serve.hpp>

#include <string>

/// Where the server listens beyond what its command line says. `data` holds the certificate.
apus::serve_options transport(const std::string& data);
