// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/develop.hpp"
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace dev_detail {

constexpr option options[] = {
    preset_flag,
    sanitize_flag,
    {.name = "host", .value = "ADDRESS", .summary = "the address to listen on (127.0.0.1, or dev.host of apus.toml)"},
    {.name = "port",
     .letter = 'p',
     .value = "NUMBER",
     .summary = "the port to listen on (8080, or dev.port); 0 selects a free port"},
    {.name = "gdb", .summary = "start the program once, under gdb"},
};
constexpr std::string_view examples[] = {"apus dev", "apus dev --port 9000", "apus dev --gdb"};

int run(const arguments& given, context& in) {
    dev::dev_options wanted{.preset = preset_of(given), .debugger = given.has("gdb")};
    if (const auto host = given.value("host")) wanted.host = std::string(*host);
    if (given.has("port")) wanted.port = static_cast<std::uint16_t>(given.number("port", 0, 65535, 0));
    dev::develop(wanted, in.shell);
    return 0;
}

}  // namespace dev_detail

constinit const command dev_command = {
    .name = "dev",
    .group = "Work",
    .summary = "run the project and restart it on every change",
    .description =
        "Watches the project's files and rebuilds after each change. The running program serves until the new\n"
        "program is ready, so that no request fails. Pages in browsers reload automatically and show compile\n"
        "errors. Press Ctrl-C to stop.",
    .operands = {},
    .options = dev_detail::options,
    .examples = dev_detail::examples,
    .run = dev_detail::run,
};

}  // namespace apus::cli::commands
