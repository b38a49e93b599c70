// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schema/fault.hpp"

#include <apus/http.hpp>

namespace apus::web {

/// Returns an error response with a member `errors`: a `pointer` and a `detail` for each fault.
response invalid_input(int status, std::string_view detail, const schema::fault_list& faults);

}  // namespace apus::web
