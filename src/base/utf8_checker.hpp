// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus::base {

/// Checks a text that arrives in pieces, which may end inside characters.
class utf8_checker {
public:
    /// Returns false at the first byte that makes the text invalid; then call `reset` before reuse.
    bool append(std::string_view piece) noexcept;

    /// Whether the text received so far ends at a character boundary.
    bool complete() const noexcept { return cut_size_ == 0; }

    void reset() noexcept { cut_size_ = 0; }

private:
    char cut_[4];  // the received bytes of an incomplete character
    std::uint8_t cut_size_ = 0;
};

}  // namespace apus::base
