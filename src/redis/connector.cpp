// SPDX-License-Identifier: Apache-2.0
#include "redis/connector.hpp"

#include "redis/sentinels.hpp"

#include <utility>

namespace apus::redis {
namespace {

account account_of(const address& a) { return {.user = a.user, .password = a.password, .database = a.database}; }

}  // namespace

task<connected> connect_to_node(const shared_state& s, runtime::loop& loop, const host_port& at, std::uint64_t due) {
    connected made{.io = co_await dial(loop, at, s.tls, due), .at = at, .facts = {}};
    made.facts = co_await greet(*made.io, account_of(s.to), due);
    co_return std::move(made);
}

task<connected> connect(const shared_state& s, runtime::loop& loop, std::uint64_t due) {
    if (s.to.kind == topology::sentinel) co_return co_await connect_to_primary(s, loop, due);
    if (s.to.path.empty())
        co_return co_await connect_to_node(s, loop, host_port{.host = s.to.host, .port = s.to.port}, due);
    connected made{.io = co_await dial_path(loop, s.to.path, due), .at = {}, .facts = {}};
    made.facts = co_await greet(*made.io, account_of(s.to), due);
    co_return std::move(made);
}

}  // namespace apus::redis
