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
    int status = 0;           ///< Status of the response; 0: the request is in progress.
    /// The response; nullopt if the request is in progress, or if the response was not stored.
    std::optional<stored_response> kept;
};

/// Returns the value for a request in progress.
/// Each call returns different bytes, so that the value identifies the request.
std::string new_claim(std::string_view fingerprint);

/// Returns the value to store for a response.
/// If `stores` is false, the value has no fields and no body.
std::string to_bytes(std::string_view fingerprint, const response&, bool stores);

/// Parses a value from the store. Returns nullopt if it is invalid or of another version.
std::optional<idempotency_record> read_record(std::string_view bytes);

}  // namespace apus::middleware
