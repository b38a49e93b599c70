// SPDX-License-Identifier: Apache-2.0
#include "transport.hpp"

apus::serve_options transport(const std::string&) { return {}; }
