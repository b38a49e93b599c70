// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// Returns violations of OpenAPI 3.1 in an API description: each a JSON Pointer (RFC 6901) and a
/// message. Checks the structure (paths and their parameters, operations, responses, components, tags, security), the
/// targets of references, and the types of schemas. Other schema keywords and examples are not checked.
std::vector<std::string> wrong_with_description(std::string_view json);

}  // namespace apus::cli::work
