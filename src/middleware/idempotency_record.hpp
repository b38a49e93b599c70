// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "middleware/response_store.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace apus::middleware {

/// Value of an idempotency key: a request in progress, or its response.
struct idempotency_record {
    std::string fingerprint;  ///< SHA-256 of the request's query and body, 32 bytes.
    int status = 0;           ///< Of the response; 0: in progress.
    /// Null if the request is in progress, or its response was not stored.
    std::optional<stored_response> kept;
};

/// Returns the bytes of a request in progress.
/// Each call returns other bytes, so that they identify the request.
std::string new_claim(std::string_view fingerprint);

/// Returns the bytes of a response; without fields and body if `stores` is false.
std::string to_bytes(std::string_view fingerprint, const response&, bool stores);

/// Reads bytes of a store; returns nullopt if they are invalid or of another version.
std::optional<idempotency_record> read_record(std::string_view bytes);

}  // namespace apus::middleware
