// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "server/test_connection.hpp"
#include "server/websocket_peer.hpp"

#include <apus/test.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace apus::test {

/// A response on its own connection.
/// The connection is aborted if the client is destroyed before this object.
struct response_stream::parts {
    std::shared_ptr<runtime::loop> loop;
    duration timeout;
    std::unique_ptr<server::test_connection> line;
    std::string unread = {};  // bytes of the body after the last event read
    std::string asked = {};
    bool to_head = false;
};

/// A WebSocket on its own connection.
/// The connection is aborted if the client is destroyed before this object.
struct websocket::parts {
    parts(std::shared_ptr<runtime::loop> l, http::core& to, duration p)
        : loop(std::move(l)), timeout(p), peer(new server::websocket_peer(*loop, server::connection_to(to))) {}
    parts(const parts&) = delete;
    parts& operator=(const parts&) = delete;
    ~parts() { peer->hang_up(); }

    /// Runs the loop until `done()` is true.
    /// Throws `std::runtime_error` on a timeout or invalid WebSocket data.
    template <class F>
    void wait(F done) {
        const std::uint64_t due = loop->due_in(timeout);
        while (true) {
            if (!peer->broken.empty())
                throw std::runtime_error("WebSocket handshake with the app failed: " + peer->broken);
            if (done()) return;
            server::run_loop_until(*loop, due, timeout);
        }
    }

    std::shared_ptr<runtime::loop> loop;
    duration timeout;
    server::websocket_peer* peer;
};

}  // namespace apus::test
