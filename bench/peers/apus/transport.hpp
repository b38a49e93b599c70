// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/serve.hpp>

#include <string>

/// Returns the options for listeners in addition to the one on the command line.
/// `data` is the folder with the certificate.
apus::serve_options transport(const std::string& data);
