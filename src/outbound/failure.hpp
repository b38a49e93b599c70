// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/error.hpp>

#include <string>
#include <string_view>

namespace apus::outbound {

/// Returns the error 503 with Retry-After for another service.
/// `detail`: for clients. `why`: for the log.
error unavailable(const char* detail, std::string_view why);

/// Returns the first 500 bytes of a text from another service.
/// Control characters are replaced by `?`.
std::string printable(std::string_view text);

}  // namespace apus::outbound
