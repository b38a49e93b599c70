// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "openapi/schema_set.hpp"
#include "openapi/security.hpp"
#include "web/described_route.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace apus::openapi {

/// Returns the Operation Object (OpenAPI 3.1, 4.8.10) of a route that has a handler.
/// `captures` are the names in the path template; `id` is the operationId.
json_value describe(const web::described_route&, const std::vector<std::string>& captures, std::string_view id,
                    schema_set&, security_schemes&);

/// Adds the schema of problem documents and the responses that operations refer to. Returns these
/// responses.
json_value common_responses(schema_set&);

}  // namespace apus::openapi
