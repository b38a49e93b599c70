// SPDX-License-Identifier: Apache-2.0
#pragma once

// Conditional requests (RFC 9110, 13), by which clients revalidate cached copies and detect conflicting changes. Files
// support them without further code: files.hpp.

#include <apus/http.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus {

/// Validators of a representation. Default values mean unknown. Set all validators that are known.
struct response_validators {
    /// Value of the ETag field, with quotes: `"v7"`, or `W/"v7"` for a weak validator.
    std::string_view etag = {};
    std::int64_t modified = -1;  ///< Time of the last change, in seconds since 1970-01-01 UTC. Negative: unknown.
    /// False: the resource does not exist, so `If-None-Match: *` is true, and `If-Match: *` is false.
    bool exists = true;
};

/// Evaluates the request's conditions against the current representation.
/// The order is that of RFC 9110, 13.2.2: If-Match, If-Unmodified-Since, If-None-Match, If-Modified-Since. If the
/// handler need not continue, returns the response: 304 with the validators for GET and HEAD, otherwise 412. If the
/// result is empty, the handler continues, and sets the same validators on its response to a GET. Throws
/// `std::invalid_argument` if `etag` is malformed.
std::optional<response> check_preconditions(request&, const response_validators& now);

/// Sets or replaces ETag and Last-Modified. Throws like `check_preconditions`.
void set_validators(response&, const response_validators&);

/// Returns an ETag, with quotes, for a representation of these bytes.
/// Equal bytes have equal tags in all processes, and in all releases of one minor version. The hash is not
/// cryptographic: an attacker who chooses the bytes can construct collisions.
std::string etag_of(std::string_view bytes);

}  // namespace apus
