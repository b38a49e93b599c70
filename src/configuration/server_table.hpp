// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/detail/schema_table.hpp>
#include <apus/rules.hpp>
#include <apus/serve.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apus::configuration {

/// The table `[server.sandbox]` of a configuration. Its members are those of `sandbox_options`.
struct sandbox_table {
    std::optional<sandbox_mode> mode = {};
    std::vector<std::string> read = {}, write = {}, allow_exec = {};
    std::vector<integer<1, 65535>> connect = {};
    std::optional<bool> connect_unix = {};

    bool operator==(const sandbox_table&) const = default;
};

/// The table `[server]` of a configuration. Its members are those of `serve_options`.
struct server_table {
    std::optional<std::string> host = {};
    std::optional<std::uint16_t> port = {};
    std::optional<std::vector<std::string>> listen = {};
    std::optional<std::vector<std::string>> listen_proxied = {};
    std::optional<std::vector<std::string>> proxies = {};
    std::optional<std::string> admin = {};
    std::optional<std::uint16_t> cores = {};
    std::optional<std::uint32_t> drain = {};            ///< Seconds.
    std::optional<std::uint32_t> readiness_grace = {};  ///< Seconds.
    std::optional<std::string> pid_file = {};
    std::optional<std::string> crash_folder = {};
    std::optional<bool> access_log = {};
    std::optional<bool> defer_accept = {};
    sandbox_table sandbox = {};

    bool operator==(const server_table&) const = default;
};

/// Schema of `server_table`.
const schema::type& type_of_server_table() noexcept;

/// Sets the options that the table contains.
/// If the table has `host` or `port`, the addresses in `listen` are removed first, as on the command line. Paths and
/// ports of the sandbox are added to those of the program, and turn on the sandbox unless the table has a mode.
void apply(const server_table&, serve_options&);

}  // namespace apus::configuration
