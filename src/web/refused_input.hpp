// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "schema/fault.hpp"

#include <apus/http.hpp>

namespace apus::web {

/// An error with a member `errors`: for each fault its `pointer` and a `detail`.
response refused_input(int status, std::string_view detail, const schema::fault_list& faults);

}  // namespace apus::web
