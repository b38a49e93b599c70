// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <limits>
#include <string>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/work/running_server.hpp"

namespace apus::cli::commands {

namespace restart_detail {

constexpr option options[] = {
    {.name = "pid", .value = "NUMBER", .summary = "process id of the server"},
    {.name = "pid-file", .value = "FILE", .summary = "the server's PID file (its option `--pid-file`)"},
    {.name = "wait", .value = "SECONDS", .summary = "maximum time until the server reports the result (60)"},
};
constexpr std::string_view examples[] = {"apus restart --pid-file /run/shop/shop.pid", "apus restart --pid 4711"};

int run(const arguments& given, context& in) {
    const auto file = given.value("pid-file");
    if (given.has("pid") == file.has_value()) misuse("either `--pid` or `--pid-file` is required", given.of());
    const auto server = file ? work::read_pid_file(*file)
                             : static_cast<pid_t>(given.number("pid", 1, std::numeric_limits<pid_t>::max(), 0));
    in.shell.event("Restarted",
                   work::restart_server(server, std::chrono::seconds(given.number("wait", 1, 86'400, 60))));
    return 0;
}

}  // namespace restart_detail

constinit const command restart = {
    .name = "restart",
    .group = "Work",
    .summary = "replace a running server by a new process of its program",
    .description =
        "The server starts its program again, with the same arguments and the same listening sockets. When the\n"
        "new process is ready, it accepts connections, and the old process finishes its requests and exits.\n"
        "If the new process fails, the old process continues to serve, and the exit status is 1.",
    .operands = {},
    .options = restart_detail::options,
    .examples = restart_detail::examples,
    .run = restart_detail::run,
};

}  // namespace apus::cli::commands
