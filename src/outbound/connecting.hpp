// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"
#include "outbound/socket_transport.hpp"
#include "runtime/protocols.hpp"

#include <apus/task.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace apus::runtime {
class client_security;
}

namespace apus::outbound {

struct transport_closer {
    void operator()(transport* t) const noexcept { t->close(); }
};
using transport_ptr = std::unique_ptr<transport, transport_closer>;

/// Why no address could be connected to.
struct connect_errors {
    int error = 0;                       ///< Of the last attempt, as of `socket_transport::connect`; 0: no attempt.
    std::string_view certificate_error;  ///< Reason why its peer's certificate was rejected; a static text.
};

/// A peer to connect to. `addresses` and `tls` must outlive the task.
struct connect_target {
    std::span<const net::endpoint> addresses;
    runtime::client_security* tls = nullptr;                ///< Null: no TLS.
    std::string host = {};                                  ///< Name for TLS.
    runtime::protocols spoken = runtime::protocols::http1;  ///< Offered by ALPN.
    bool keep_alive = false;                                ///< TCP keep-alive, for connections that stay idle.
};

/// Connects to the first address that responds.
/// Each remaining address gets an equal share of the time until `due`, so that one unresponsive address does not use up
/// all of it. Returns null and sets `why` if none responds.
task<transport_ptr> connect_in_turn(runtime::loop&, connect_target to, std::uint64_t due, connect_errors& why);

}  // namespace apus::outbound
