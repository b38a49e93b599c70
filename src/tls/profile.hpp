// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"

#include <apus/tls.hpp>

namespace apus::tls {

/// Creates a context for either side with the settings that both share: versions, ciphers, groups
/// and disabled features. Throws `std::bad_alloc`.
ssl_context make_context(const SSL_METHOD& side, tls_version min_version);

}  // namespace apus::tls
