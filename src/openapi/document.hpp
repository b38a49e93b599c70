// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "web/described_route.hpp"

#include <apus/openapi.hpp>

#include <span>
#include <string>

namespace apus::openapi {

/// The description of these routes (OpenAPI 3.1), as JSON. Throws `std::logic_error` if two of them were
/// given the same operationId.
std::string document(const api_info&, std::span<const web::described_route>);

}  // namespace apus::openapi
