// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::outbound {

/// What an http URL says (RFC 9110, 4.2.1; RFC 3986).
struct url {
    bool secure = false;  ///< https
    std::string host;     ///< In lower case, an IPv6 address without brackets.
    std::uint16_t port = 80;
    std::string target;  ///< Path and query, as they are sent. Begins with '/'.

    std::string authority() const;  ///< For Host: without the port where it is the scheme's own.
    std::string origin() const;     ///< "http://host:port"
    std::string text() const;

    /// Strict: no user information, nothing that must be percent-encoded. A fragment is dropped.
    /// The error is a 500.
    static result<url> parse(std::string_view text);

    /// What a reference such as that of Location means, seen from here (RFC 3986, 5.2). The error is
    /// a 502: a server sent it.
    result<url> refer(std::string_view reference) const;
};

}  // namespace apus::outbound
