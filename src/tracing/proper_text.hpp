// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/utf8.hpp"
#include "tracing/attribute_list.hpp"

#include <string>
#include <string_view>

namespace apus::tracing {

/// A text that is truncated to `max_text` bytes, and whose invalid UTF-8 is replaced by U+FFFD.
/// Refers to the given text if no byte must be replaced.
class proper_text {
public:
    explicit proper_text(std::string_view given) : view_(given) {
        if (given.size() > max_text || !base::is_ascii(given)) [[unlikely]]
            make_proper();
    }
    proper_text(const proper_text&) = delete;
    proper_text& operator=(const proper_text&) = delete;
    std::string_view view() const noexcept { return view_; }

private:
    void make_proper();

    std::string_view view_;
    std::string made_;
};

}  // namespace apus::tracing
