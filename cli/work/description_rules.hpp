// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::work {

/// What is wrong with a description of an API by the specification OpenAPI 3.1: each a JSON Pointer (RFC 6901) to the
/// place and a sentence. Looks at the structure (paths and their parameters, operations, responses, components, tags,
/// security), at what references lead to, and at the types of schemas. What schemas say beyond that, and examples in
/// them, are not judged.
std::vector<std::string> wrong_with_description(std::string_view json);

}  // namespace apus::cli::work
