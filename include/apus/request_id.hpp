// SPDX-License-Identifier: Apache-2.0
#pragma once

// A name for each request, to find it again in the logs of all who had to do with it.

#include <apus/client_info.hpp>
#include <apus/http.hpp>

namespace apus {

/// The id of a request behind `request_ids`; empty where there is none. Valid as long as the request.
std::string_view request_id_of(request&) noexcept;

/// Middleware that gives each request an id, and puts it into the field `x-request-id` of its answer:
/// that of the request if a trusted peer has sent it, or else 16 random bytes in 32 hexadecimal
/// digits. An id of a peer has 1 to 128 letters, digits, '-', '_', '.', so that it is safe in a log.
class request_ids {
public:
    request_ids() : request_ids(network_list(std::vector<std::string>())) {}
    /// `from` are the peers whose ids are taken: proxies that make them.
    explicit request_ids(network_list from) : from_(std::move(from)) {}

    // For the app.
    static constexpr const void* sets = detail::sets_nothing;
    bool before(request&, response&) const;
    void after(request&, response&) const;

private:
    network_list from_;
};

}  // namespace apus
