// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>

namespace apus::tls {

/// A self-signed certificate for localhost, *.localhost, 127.0.0.1 and ::1, and its key, as PEM.
/// Valid for a year.
struct self_signed {
    std::string certificate, key;
};
self_signed sign_self();  ///< Throws `std::runtime_error` if OpenSSL fails.

/// Writes a self-signed certificate to new files that only this user can read.
/// The error is a message. Both paths may be equal.
std::expected<void, std::string> write_self_signed(const std::string& chain, const std::string& key);

}  // namespace apus::tls
