// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::dev {

/// Returns the value of the first field with this name in an HTTP/1.1 head; empty if absent.
/// Names are case-insensitive.
std::string_view field_of(std::string_view head, std::string_view name);

std::string without_field(std::string_view head, std::string_view name);

/// Returns a copy of a head with an additional field line.
std::string with_field(std::string_view head, std::string_view line);

/// Returns true if a browser requests a page: GET, and Accept includes text/html.
bool requests_page(std::string_view head);

/// Returns true if the client requests an upgrade, such as to WebSocket.
/// Returns false for upgrades to h2c: such clients also accept HTTP/1.1, so their requests are forwarded like requests
/// without an upgrade.
bool requests_upgrade(std::string_view head);

/// Returns the target of a request.
std::string_view target_of(std::string_view head);

/// Returns the host of a request, in lower case and without port.
/// The host comes from an absolute target, otherwise from Host. Empty if neither is present; all browsers send Host.
std::string host_of(std::string_view head);

/// Returns the head sent to the application: one request per connection, never HTTP/2.
/// Requests for pages use HTTP/1.0 without content codings: the response is then neither chunked nor compressed, and a
/// script can be appended.
std::string request_for_application(std::string_view head);

/// Returns the response head sent to the browser, with Content-Length increased by `added`.
std::string response_for_browser(std::string_view head, std::size_t added);

/// Returns true if a script can be added to the body of a response with this head.
bool is_page(std::string_view head);

}  // namespace apus::cli::dev
