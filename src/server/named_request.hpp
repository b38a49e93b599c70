// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/log.hpp>

#include <string_view>

namespace apus::server {

/// What log records say of a request. Views live as long as its exchange; all are empty without one.
struct named_request {
    std::string_view method, target, route, id;

    /// Of the exchange that `runtime::activity::request` names, or of null. Neither allocates nor
    /// locks: a signal handler may call it.
    static named_request of(const void* exchange) noexcept;

    /// Of the request that this thread works for.
    static named_request here() noexcept;
};

/// A field that is left out where its text is empty.
inline log::field optional_field(std::string_view key, std::string_view text) noexcept {
    return text.empty() ? log::field() : log::field(key, text);
}

}  // namespace apus::server
