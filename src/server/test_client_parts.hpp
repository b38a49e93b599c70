// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/loop.hpp"
#include "server/test_connection.hpp"

#include <apus/test.hpp>

#include <memory>
#include <string>

namespace apus::test {

/// An answer on a connection of its own, which may outlast its client: it has then been cut off.
struct incoming::parts {
    parts(std::shared_ptr<runtime::loop> l, http::core& to, duration p) : loop(std::move(l)), patience(p), line(to) {}

    std::shared_ptr<runtime::loop> loop;
    duration patience;
    server::test_connection line;
    std::string unread;  // of the body, after events
    std::string asked;
    bool to_head = false;
};

}  // namespace apus::test
