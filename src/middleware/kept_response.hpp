// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "middleware/response_store.hpp"

#include <apus/response_cache.hpp>

#include <memory>

namespace apus::middleware {

/// Whether the request has credentials of any kind.
/// RFC 9111, 3.5, covers only Authorization; here its rule is applied to all credentials.
bool has_credentials(request&) noexcept;

/// Returns the response with its lifetime, from now on, if it may be stored (RFC 9111, 3).
/// Otherwise returns null. The body must not be streamed.
std::shared_ptr<stored_response> kept_response(request&, const response&, const response_cache_options&);

}  // namespace apus::middleware
