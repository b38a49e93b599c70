// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nats/shared_state.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace apus::nats {

/// Facts that a server reports in INFO.
struct server_info {
    std::size_t max_payload = std::size_t(1) << 20U;  ///< Maximum bytes of a message with its headers.
    bool headers = false;                             ///< Whether messages may have headers.
    bool tls_required = false, tls_available = false;
    bool needs_key = false;  ///< Whether the server expects a signature by an NKey.
};

/// Parses the JSON of INFO, without unknown members.
/// Returns nullopt for invalid JSON, or members of other types.
std::optional<server_info> read_info(std::string_view json);

/// Returns the options of CONNECT for a client, as JSON.
std::string connect_options(const shared_state&, const server_info&);

}  // namespace apus::nats
