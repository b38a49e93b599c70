// SPDX-License-Identifier: Apache-2.0
#pragma once

// Redirects.

#include <apus/http.hpp>

#include <string_view>

namespace apus {

/// Redirects the client to `location`, a URL or a path (RFC 9110, 15.4).
/// `status`: 301 or 308 (permanent), 302 or 307 (temporary), or 303 (the client gets the result of a POST with GET).
/// 307 and 308 keep the method.
///
/// Bytes that a URL must not contain, such as spaces and UTF-8, are percent-encoded. Throws `std::invalid_argument` for
/// any other status, an empty location, and control characters (CR, LF, NUL, ...). Does not check the destination: for
/// client input, use `redirect_within`.
response redirect(int status, std::string_view location);

/// Redirects to a location from a request, such as `?return_to=/orders`.
/// The location must be a path of this server that begins with one slash. To prevent open redirects, a location that a
/// browser might interpret as another host (`https://`, `//host`, `/\host`, control characters) gets 400.
result<response> redirect_within(int status, std::string_view location);

}  // namespace apus
