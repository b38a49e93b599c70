// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"

#include <apus/tls.hpp>

namespace apus::tls {

/// A context of either side: versions, ciphers, groups, and what is never done. Throws `std::bad_alloc`.
ssl_context make_context(const SSL_METHOD& side, tls_version least);

}  // namespace apus::tls
