// SPDX-License-Identifier: Apache-2.0
#include "configuration/server_table.hpp"

#include <apus/detail/schema_object.hpp>
#include <apus/schema.hpp>

namespace apus::configuration {
namespace {

template <class From, class To>
void copy(const std::optional<From>& from, To& to) {
    if (from) to = *from;
}

void copy_seconds(const std::optional<std::uint32_t>& from, duration& to) {
    if (from) to = seconds(*from);
}

}  // namespace

const schema::type& type_of_server_table() noexcept { return detail::schema_table<server_table>; }

void apply(const server_table& from, serve_options& to) {
    if (from.host || from.port) to.listen.clear();
    copy(from.host, to.host);
    copy(from.port, to.port);
    copy(from.listen, to.listen);
    copy(from.listen_proxied, to.listen_proxied);
    copy(from.proxies, to.proxies);
    copy(from.admin, to.admin);
    copy(from.cores, to.cores);
    copy_seconds(from.drain, to.drain);
    copy_seconds(from.readiness_grace, to.readiness_grace);
    copy(from.pid_file, to.pid_file);
    copy(from.access_log, to.access_log);
}

}  // namespace apus::configuration
