// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus::base {

/// Checks a text that comes in pieces, which may be cut inside of characters.
class utf8_checker {
public:
    /// False as soon as no text that begins with what has come is UTF-8: the byte that shows it is
    /// the last that is waited for. Not to be called again then, before `reset`.
    bool append(std::string_view piece) noexcept;

    /// Whether what has come ends with a character.
    bool complete() const noexcept { return cut_size_ == 0; }

    void reset() noexcept { cut_size_ = 0; }

private:
    char cut_[4];  // the beginning of a character
    std::uint8_t cut_size_ = 0;
};

}  // namespace apus::base
