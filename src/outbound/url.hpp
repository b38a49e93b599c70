// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::outbound {

/// A parsed http or https URL (RFC 9110, 4.2; RFC 3986).
struct url {
    bool secure = false;  ///< https
    std::string host;     ///< In lower case; IPv6 addresses without brackets.
    std::uint16_t port = 80;
    std::string target;  ///< Path and query, encoded. Begins with '/'.

    std::string authority() const;  ///< Value of Host, without the scheme's default port.
    std::string origin() const;     ///< Scheme, host and port: "http://host:80"
    std::string text() const;

    /// Parses strictly: rejects user information and characters that must be percent-encoded.
    /// Drops the fragment. Errors have the status 500.
    static result<url> parse(std::string_view text);

    /// Resolves a reference, such as the value of Location, against this URL (RFC 3986, 5.2).
    /// Errors have the status 502, since the reference comes from a server.
    result<url> resolve(std::string_view reference) const;
};

}  // namespace apus::outbound
