// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace apus::base {

/// A text of at most `Most` bytes, stored in the object; longer texts are truncated.
template <std::uint8_t Most>
class short_text {
public:
    short_text() noexcept = default;
    explicit short_text(std::string_view text) noexcept
        : size_(static_cast<std::uint8_t>(std::min<std::size_t>(text.size(), Most))), cut_(text.size() > Most) {
        text.copy(bytes_, size_);
    }

    std::string_view view() const noexcept { return {bytes_, size_}; }
    bool truncated() const noexcept { return cut_; }

private:
    std::uint8_t size_ = 0;
    bool cut_ = false;
    char bytes_[Most]{};
};

}  // namespace apus::base
