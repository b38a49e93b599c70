// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::server {

/// Installs a handler for `std::terminate` that keeps the exception for the crash record.
/// It then calls the previous handler, which usually prints the exception and aborts.
void remember_exceptions() noexcept;
void forget_exceptions() noexcept;  ///< Restores the previous handler.

/// The exception that has ended the process. Both texts are empty without an exception.
struct exception_text {
    std::string_view type, text;
};
exception_text last_exception() noexcept;  ///< For signal handlers.

}  // namespace apus::server
