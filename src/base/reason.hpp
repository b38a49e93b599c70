// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/error.hpp>

#include <string_view>

namespace apus::base {

/// Returns the text of an error for the log: its cause, or its detail if it has no cause.
/// Valid until the error is changed or destroyed.
inline std::string_view reason_of(const error& why) noexcept {
    return why.cause().empty() ? std::string_view(why.detail()) : why.cause();
}

}  // namespace apus::base
