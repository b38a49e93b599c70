// SPDX-License-Identifier: Apache-2.0
#pragma once

// Conditional requests (RFC 9110, 13): a client that has a copy asks whether it is still good, and
// one that changes something says what it thinks it changes. Files do this by themselves: files.hpp.

#include <apus/http.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace apus {

/// How a representation is told from what it was before. The more is known the better; what is left
/// at its default is not known.
struct validators {
    /// As in the ETag field, with its quotes: `"v7"`, or `W/"v7"` if it stands for the meaning and not each byte.
    std::string_view etag = {};
    std::int64_t modified = -1;  ///< When it changed last, in seconds since 1970-01-01 UTC. Negative: not known.
    /// False: there is nothing yet, so `If-None-Match: *` holds and `If-Match: *` does not.
    bool exists = true;
};

/// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since against what is
/// `now`, in the order of RFC 9110, 13.2.2, and gives the answer if the handler's work is not to be
/// done: 304 with the validators for GET and HEAD, else a 412. Nothing: go on, and give the
/// response to a GET the same validators. Throws `std::invalid_argument` if `etag` is no entity tag.
std::optional<response> precondition(request&, const validators& now);

/// Sets ETag and Last-Modified, in place of those that are there. Throws like `precondition`.
void validate(response&, const validators&);

/// An ETag, with its quotes, for a representation of these bytes. The same bytes give the same one
/// in every process and release of one minor version. No cryptographic hash: who may choose the
/// bytes can make two that share one.
std::string etag_of(std::string_view bytes);

}  // namespace apus
