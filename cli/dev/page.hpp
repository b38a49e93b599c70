// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::dev {

/// Returns the HTML tag that loads the script. The proxy adds it to each page of the application.
std::string_view script_tag();

/// Returns the script, which reloads the page after a change and shows errors over the page.
std::string_view script();

/// Returns a complete response with a page that explains why no application is available.
std::string failure_response(std::string_view status, std::string_view title, std::string_view text);

/// Returns a complete response with this status, such as "200 OK".
std::string response(std::string_view status, std::string_view media_type, std::string_view body);

/// Returns a complete response to a request for a host that `apus dev` does not serve.
std::string host_refusal(std::string_view host);

/// Returns the response to HTTP/2 with prior knowledge: GOAWAY, HTTP_1_1_REQUIRED (RFC 9113, 7).
std::string http2_refusal();

/// Returns an event for the script.
/// Contains the generation of the application and the errors of the latest build.
std::string state_event(unsigned generation, std::string_view failure);

}  // namespace apus::cli::dev
