// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "web/described_route.hpp"

#include <apus/openapi.hpp>

#include <span>
#include <string>

namespace apus::openapi {

/// Returns the OpenAPI 3.1 document for these routes, as JSON.
/// Throws `std::logic_error` if two routes have the same operationId.
std::string document(const openapi_info&, std::span<const web::described_route>);

}  // namespace apus::openapi
