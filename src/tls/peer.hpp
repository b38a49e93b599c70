// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tls/openssl.hpp"

#include <apus/tls.hpp>

namespace apus::tls {

/// Returns subject, names and fingerprint of a certificate.
peer_certificate peer_of(X509& shown);

}  // namespace apus::tls
