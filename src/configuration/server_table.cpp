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

void append_paths(const std::vector<std::string>& from, std::vector<std::string>& to) {
    to.insert(to.end(), from.begin(), from.end());
}

void copy_sandbox(const sandbox_table& from, sandbox_options& to) {
    append_paths(from.read, to.read);
    append_paths(from.write, to.write);
    append_paths(from.allow_exec, to.allow_exec);
    for (const std::int64_t port : from.connect) to.connect.push_back(static_cast<std::uint16_t>(port));
    copy(from.connect_unix, to.connect_unix);
    const bool grants = !from.read.empty() || !from.write.empty() || !from.allow_exec.empty() ||
                        !from.connect.empty() || from.connect_unix.value_or(false);
    if (grants && to.mode == sandbox_mode::off) to.mode = sandbox_mode::available;
    copy(from.mode, to.mode);
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
    copy(from.crash_folder, to.crash_folder);
    copy(from.access_log, to.access_log);
    copy(from.defer_accept, to.defer_accept);
    copy_sandbox(from.sandbox, to.sandbox);
}

}  // namespace apus::configuration
