// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace apus::cli::dev {

/// What is added to each page of the application: it loads the script.
std::string_view script_tag();

/// The script that reloads the page, and shows errors over it.
std::string_view script();

/// A whole response: a page that shows why there is no application to answer.
std::string failure_response(std::string_view status, std::string_view title, std::string_view text);

/// A whole response of 200, or of another status without a body.
std::string response(std::string_view status, std::string_view media_type, std::string_view body);

/// A whole response for a request that names a host which `apus dev` does not answer for.
std::string host_refusal(std::string_view host);

/// What a client gets that begins with HTTP/2 without asking: frames that tell it to use HTTP/1.1 (RFC 9113, 7:
/// HTTP_1_1_REQUIRED).
std::string http2_refusal();

/// An event for the script: which state of the application this is, and what is wrong with the newest one.
std::string state_event(unsigned generation, std::string_view failure);

}  // namespace apus::cli::dev
