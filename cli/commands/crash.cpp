// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/crash/report.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::commands {

namespace crash_detail {

constexpr operand operands[] = {{"FILE", "a crash report"}};
constexpr std::string_view examples[] = {"apus crash /var/lib/shop/crashes/shop-1795788000-4711.crash"};

int run(const arguments& given, context& in) {
    const auto report = crash::parse(system::read_file(given.operand(0), crash::max_report));
    in.shell.print(crash::text_of(report));
    return 0;
}

}  // namespace crash_detail

constinit const command crash_report = {
    .name = "crash",
    .group = "Diagnostics",
    .summary = "show the crash report of a server",
    .description =
        "A server that was started with --crash-folder writes a report when it crashes. Shows the signal, the\n"
        "requests in flight and the stack with the names of functions. `addr2line -Cfie PROGRAM ADDRESS` shows\n"
        "file and line of an address in the program.",
    .operands = crash_detail::operands,
    .options = {},
    .examples = crash_detail::examples,
    .run = crash_detail::run,
};

}  // namespace apus::cli::commands
