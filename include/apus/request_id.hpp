// SPDX-License-Identifier: Apache-2.0
#pragma once

// Request ids, for correlating the logs of several systems.

#include <apus/client_info.hpp>
#include <apus/http.hpp>
#include <apus/middleware.hpp>

namespace apus {

/// Returns the id of a request inside `request_ids`; empty outside. Valid as long as the request.
std::string_view request_id_of(request&) noexcept;

/// Middleware that assigns each request an id, and sends it in the field `x-request-id`.
/// The id is the value of this field if a trusted peer sent it, otherwise 16 random bytes in hexadecimal. An id from a
/// peer must have 1 to 128 letters, digits, '-', '_' and '.', which are safe in logs.
class request_ids {
public:
    request_ids() : request_ids(network_list(std::vector<std::string>())) {}
    /// `from`: peers whose ids are accepted, such as proxies.
    explicit request_ids(network_list from) : from_(std::move(from)) {}

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    void give_id(request&) const;

    network_list from_;
};

}  // namespace apus
