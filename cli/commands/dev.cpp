// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/developing.hpp"
#include "cli/commands/build_flags.hpp"
#include "cli/commands/table.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    preset_flag,
    sanitize_flag,
    {.name = "host", .value = "ADDRESS", .summary = "where to listen (127.0.0.1, or dev.host of apus.toml)"},
    {.name = "port", .letter = 'p', .value = "NUMBER", .summary = "which port (8080, or dev.port); 0 takes a free one"},
    {.name = "gdb", .summary = "start the program once, in gdb"},
};
constexpr std::string_view examples[] = {"apus dev", "apus dev --port 9000", "apus dev --gdb"};

int run(const arguments& given, context& in) {
    dev::dev_options wanted{.preset = preset_of(given), .debugger = given.has("gdb")};
    if (const auto host = given.value("host")) wanted.host = std::string(*host);
    if (given.has("port")) wanted.port = static_cast<std::uint16_t>(given.number("port", 0, 65535, 0));
    dev::develop(wanted, in.shell);
    return 0;
}

}  // namespace

constinit const command dev_command = {
    .name = "dev",
    .group = "Work",
    .summary = "run the project and restart it on every change",
    .description =
        "Watches the project's files and builds what has changed. The program that serves goes on until\n"
        "the next one is ready, so no request is refused; pages load anew by themselves, and show what\n"
        "does not compile. Ctrl-C ends it.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
