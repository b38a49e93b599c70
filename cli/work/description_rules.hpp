// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// Returns violations of OpenAPI 3.1 in an API description.
/// Each violation has a JSON Pointer (RFC 6901) and a message. Checks the structure (paths and their parameters,
/// operations, responses, components, security), the targets of references, and the types of schemas. Does not check
/// other schema keywords and examples.
std::vector<std::string> wrong_with_description(std::string_view json);

}  // namespace apus::cli::work
