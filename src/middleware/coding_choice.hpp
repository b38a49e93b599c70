// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/content_coding.hpp>

#include <span>
#include <string_view>

namespace apus::middleware {

/// Which content coding a client gets (RFC 9110, 12.5.3).
class coding_choice {
public:
    /// Takes the value of an Accept-Encoding line. A name counts by its first weight.
    void accept(std::string_view line) noexcept;

    /// The one with the greatest weight above 0, and among those of the same weight the first of
    /// `preferred`. Identity if there is none, or if the client gave identity itself a greater weight.
    content_coding best(std::span<const content_coding> preferred) const noexcept;

private:
    static constexpr int unsaid = -1;

    int weight_[5] = {unsaid, unsaid, unsaid, unsaid, unsaid};  // by coding
    int others_ = unsaid;                                       // `*`
};

}  // namespace apus::middleware
