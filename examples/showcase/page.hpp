// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

namespace showcase {

/// A page that lists the routes, with a command to try each.
apus::response page(apus::request&);

}  // namespace showcase
