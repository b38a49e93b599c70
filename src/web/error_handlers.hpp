// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/error_form.hpp>

namespace apus::web {

/// Error handlers of the apps around a route. The innermost one applies.
struct error_handlers {
    const detail::error_form* any = nullptr;
    const detail::error_form* missing = nullptr;  ///< Used instead of `any` for 404.

    /// Returns the error handlers inside of a mounted app.
    /// `own` and `own_missing` are the handlers that the app sets; null: not set.
    error_handlers inside(const detail::error_form* own, const detail::error_form* own_missing) const noexcept {
        if (own) return {own, own_missing};
        return {any, own_missing ? own_missing : missing};
    }
    /// Returns the error handler for this status; null if no error handler is set.
    const detail::error_form* of(int status) const noexcept { return status == 404 && missing ? missing : any; }
    bool operator==(const error_handlers&) const = default;
};

/// Adds the body to an error response. Throws only if memory for a problem document is missing.
void add_error_body(request&, const error_handlers&, response& out);

}  // namespace apus::web
