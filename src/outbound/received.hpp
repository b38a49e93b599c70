// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/response_head.hpp"

#include <string>
#include <string_view>

namespace apus::outbound {

inline constexpr unsigned max_interim = 16;  ///< Maximum number of 1xx responses before the final response.

/// The received parts of a response.
struct received {
    std::string bytes;  // contains the texts to which `head` refers
    codec::http1::response_head head;
    std::string url;   // URL of the request, after redirects
    std::string body;  // set if the body is read as a whole

    std::string_view text(codec::http1::slice s) const noexcept { return s.in(bytes.data()); }

    /// Returns the first field with this name, ignoring case, or an empty text.
    std::string_view field(std::string_view name) const noexcept;
    unsigned count(std::string_view name) const noexcept;  ///< Number of fields with this name.
    void remove(std::string_view name) noexcept;           ///< Removes all fields with this name.
};

}  // namespace apus::outbound
