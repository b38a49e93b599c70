// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/chain.hpp>

#include <string>
#include <string_view>

namespace apus::web {

/// Returns a step that runs the next step of its chain within a span with this name.
/// Requests that are not recorded have no span. `name` must outlive the chain.
detail::step traced_step(const std::string& name) noexcept;

/// Returns the name of a span for middleware.
/// `spelled`: `detail::spell` of the middleware's type; may be null. For types without a name, such as lambdas, returns
/// `middleware`.
std::string name_of_middleware(const char* spelled);

}  // namespace apus::web
