// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/response_head.hpp"

#include <string>
#include <string_view>

namespace apus::outbound {

/// A response, as far as it has been received.
struct received {
    std::string bytes;  // the head
    codec::http1::response_head head;
    std::string url;
    std::string body;  // used if the whole body is read at once

    std::string_view text(codec::http1::slice s) const noexcept { return s.in(bytes.data()); }

    /// Returns the first field with this name, ignoring case, or an empty text.
    std::string_view field(std::string_view name) const noexcept;
    unsigned count(std::string_view name) const noexcept;  ///< Number of fields with this name.
    void remove(std::string_view name) noexcept;           ///< Removes all fields with this name.
};

}  // namespace apus::outbound
