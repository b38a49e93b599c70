// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/content_coding.hpp>

#include <span>
#include <string_view>

namespace apus::middleware {

/// Selects the content coding of a response by Accept-Encoding (RFC 9110, 12.5.3).
class coding_preferences {
public:
    /// Parses the value of one Accept-Encoding line. If a coding is repeated, its first weight counts.
    void accept(std::string_view line) noexcept;

    /// Returns the coding with the greatest weight above 0.
    /// Of codings with equal weights, returns the first in `preferred`. Returns identity if none of these codings is
    /// acceptable, or if the client explicitly gives identity a greater weight than each of them.
    content_coding best(std::span<const content_coding> preferred) const noexcept;

private:
    static constexpr int unsaid = -1;

    int weight_[5] = {unsaid, unsaid, unsaid, unsaid, unsaid};  // indexed by coding
    int others_ = unsaid;                                       // weight of `*`, for codings that are not listed
};

}  // namespace apus::middleware
