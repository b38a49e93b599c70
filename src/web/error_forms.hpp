// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/error_form.hpp>

namespace apus::web {

/// What the apps around a route make of errors. The innermost app that has any decides.
struct error_forms {
    const detail::error_form* any = nullptr;
    const detail::error_form* missing = nullptr;  ///< In place of it for 404.

    /// Those for the routes of an app that is mounted here and has these of its own.
    error_forms inside(const detail::error_form* own, const detail::error_form* own_missing) const noexcept {
        if (own) return {own, own_missing};
        return {any, own_missing ? own_missing : missing};
    }
    bool operator==(const error_forms&) const = default;
};

/// Gives an answer that is an error its body. Throws only without memory for a problem document.
void give_body(request&, const error_forms&, response& out);

}  // namespace apus::web
