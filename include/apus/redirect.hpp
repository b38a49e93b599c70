// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sending a client elsewhere.

#include <apus/http.hpp>

#include <string_view>

namespace apus {

/// Sends the client to `location`, an address or a path (RFC 9110, 15.4). `status` is 301 or 308
/// for good, 302 or 307 for now, 303 to GET the outcome of a POST; 307 and 308 keep the method.
///
/// Bytes that an address cannot hold, such as spaces and those of UTF-8, are percent-encoded. Throws
/// `std::invalid_argument` for another status, for an empty location, and for CR, LF, NUL or another
/// control byte in it. Where it leads is not looked at: for what a client sent, use `redirect_within`.
response redirect(int status, std::string_view location);

/// The same for a location that came with a request, such as `?return_to=/orders`: it must be a path
/// of this server, beginning with one slash. What leads, or might be taken by a browser to lead, to
/// another host (`https://`, `//host`, `/\host`, control bytes) is a 400, so that nobody can lend a
/// link of yours to lead elsewhere.
result<response> redirect_within(int status, std::string_view location);

}  // namespace apus
