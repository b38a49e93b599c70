// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace apus::postgres {

/// The values of the members of a JSON object, or of the items of a JSON array, in order.
/// The text must be valid and have no white space between tokens, like the texts that Apus prints.
class json_members {
public:
    explicit json_members(std::string_view text) noexcept
        : left_(text.empty() ? text : text.substr(1)), object_(text.starts_with('{')) {}

    /// Returns the text of the next value; empty at the end.
    std::string_view next() noexcept;

private:
    std::string_view left_;
    bool object_;
};

}  // namespace apus::postgres
