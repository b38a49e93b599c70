// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http1/response_head.hpp"

#include <string>
#include <string_view>

namespace apus::outbound {

/// A response, as far as it was taken off its connection.
struct received {
    std::string bytes;  // of the head
    codec::http1::response_head head;
    std::string url;
    std::string body;  // where it is taken whole

    std::string_view text(codec::http1::slice s) const noexcept { return s.in(bytes.data()); }

    /// The first field of this name, in any case, or empty.
    std::string_view field(std::string_view name) const noexcept;
    unsigned count(std::string_view name) const noexcept;  ///< How many there are.
    void remove(std::string_view name) noexcept;           ///< All of them.
};

}  // namespace apus::outbound
