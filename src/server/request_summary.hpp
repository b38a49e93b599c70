// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/log.hpp>

#include <string_view>

namespace apus::server {

/// Log fields that identify a request; all are empty without a request.
/// The views are valid as long as the request's exchange.
struct request_summary {
    std::string_view method, target, route, id;

    /// Returns the fields of the exchange in `runtime::activity::request`; all are empty for null.
    /// Does not allocate or lock: signal handlers may call it.
    static request_summary of(const void* exchange) noexcept;

    /// Returns the fields of the request that this thread is working for.
    static request_summary here() noexcept;
};

/// Returns a field that is omitted if its text is empty.
inline log::field optional_field(std::string_view key, std::string_view text) noexcept {
    return text.empty() ? log::field() : log::field(key, text);
}

}  // namespace apus::server
