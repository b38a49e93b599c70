// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::dev {

/// The value of the first field of this name in a head of HTTP/1.1, in any case; empty if there is none.
std::string_view field_of(std::string_view head, std::string_view name);

/// A head without the fields of this name.
std::string without_field(std::string_view head, std::string_view name);

/// A head, whose empty line is its end, with one field line more.
std::string with_field(std::string_view head, std::string_view line);

/// Whether a browser asks for a page: GET, and text/html among what it accepts.
bool asks_for_page(std::string_view head);

/// Whether the connection becomes something else: a WebSocket, say. HTTP/2 is no such thing: who asks for it this way
/// takes an answer by HTTP/1.1 too, on a connection that does not hold on to one process.
bool asks_for_upgrade(std::string_view head);

/// The target of a request.
std::string_view target_of(std::string_view head);

/// The host that a request names, in small letters and without its port: of an absolute target, otherwise of the field
/// Host. Empty if it names none, which no browser does.
std::string host_of(std::string_view head);

/// Whether a host, as `host_of` gives it, is this machine whatever a name server says: localhost, a name below it, or
/// an IP address.
bool is_local(std::string_view host);

/// What the application gets: one request for each connection, and none for HTTP/2. A page is asked for by HTTP/1.0
/// and without
/// content codings, so that its end is the connection's and something can be added to it.
std::string request_for_application(std::string_view head);

/// What the browser gets for the head of a response, to which `added` bytes will be added; 0 changes no length.
std::string response_for_browser(std::string_view head, std::size_t added);

/// Whether a script can be added to the body that follows this head of a response.
bool is_page(std::string_view head);

}  // namespace apus::cli::dev
