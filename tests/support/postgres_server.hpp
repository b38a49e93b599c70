// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testing/postgres_server.hpp"

namespace apus::support {

using testing::postgres_options;
using testing::postgres_server;

}  // namespace apus::support
