// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "net/endpoint.hpp"
#include "net/host_port.hpp"
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

/// Reasons why no connection was established.
struct connect_errors {
    int error = 0;  ///< Result of `socket_transport::connect` for the last address; 0: no address was tried.
    std::string_view certificate_error;  ///< Reason why the last peer's certificate was rejected; a static text.
};

/// A peer to connect to. `addresses` and `tls` must outlive the task.
struct connect_target {
    std::span<const net::endpoint> addresses;
    runtime::client_security* tls = nullptr;                ///< Null: no TLS.
    std::string host = {};                                  ///< Server name for TLS.
    runtime::protocols spoken = runtime::protocols::http1;  ///< Protocols to offer by ALPN.
    bool keep_alive = false;                                ///< Enables TCP keep-alive, for long idle connections.
};

/// Tries the addresses in order, and returns the first connection that is established.
/// Each remaining address gets an equal share of the time until `due`, so that one unresponsive address does not use up
/// all of the time. Returns null and sets `why` if all attempts fail.
task<transport_ptr> connect_in_turn(runtime::loop&, connect_target to, std::uint64_t due, connect_errors& why);

/// Returns the reason of a failed connection for the log.
std::string reason_of(const connect_errors&);

/// Resolves a host, and connects to its addresses in turn, with TLS unless `tls` is null.
/// Enables TCP keep-alive. Returns null and sets `why`, a text for the log, if all attempts fail.
task<transport_ptr> connect_to_host(runtime::loop&, net::host_port to, runtime::client_security* tls, std::uint64_t due,
                                    std::string& why);

/// Begins TLS on a connection that was made without it, after the peer has agreed to.
/// Nothing may have been sent before. Returns an empty text, or a reason for the log, also if bytes were received that
/// the caller has not consumed: they are not protected, so an attacker could have inserted them. After an error, close
/// the connection.
task<std::string> begin_tls(transport&, runtime::client_security&, std::string host, std::uint64_t due);

}  // namespace apus::outbound
