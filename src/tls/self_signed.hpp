// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>

namespace apus::tls {

/// A certificate for localhost, *.localhost, 127.0.0.1 and ::1, signed by itself and good for a
/// year, and its key, as PEM.
struct self_signed {
    std::string certificate, key;
};
self_signed sign_self();  ///< Throws `std::runtime_error` if OpenSSL cannot.

/// Writes one to files that are not there yet, for this user alone. The error is a sentence. Both
/// may be the same file.
std::expected<void, std::string> write_self_signed(const std::string& chain, const std::string& key);

}  // namespace apus::tls
