// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/serve.hpp>

#include <string>

/// Returns the listeners in addition to the command line's. `data` holds the certificate.
apus::serve_options transport(const std::string& data);
