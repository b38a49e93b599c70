// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/examine.hpp"

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/doctor/fixes.hpp"

namespace apus::cli::commands {

namespace doctor_detail {

constexpr option options[] = {
    {.name = "fix", .summary = "run the safe fixes: install packages and set kernel parameters"},
    {.name = "json", .summary = "print a JSON object"},
    {.name = "root", .value = "DIR", .summary = "check only the files of the system whose root folder is DIR"},
};
constexpr std::string_view examples[] = {"apus doctor", "sudo apus doctor --fix", "apus doctor --json"};

int run(const arguments& given, context& in) {
    const auto root = given.value("root");
    if (root && given.has("fix"))
        misuse("`--fix` and `--root` exclude each other: only this machine can be fixed", given.of());
    doctor::machine on = root ? doctor::machine_at(*root) : doctor::this_machine();
    doctor::findings found = doctor::examine(on);
    if (given.has("fix") && doctor::apply_fixes(found, on.running->superuser, in.shell))
        found = doctor::examine(doctor::this_machine());
    in.shell.print(given.has("json") ? doctor::json_of(found) : doctor::text_of(found));
    return doctor::any_broken(found) ? 1 : 0;
}

}  // namespace doctor_detail

constinit const command examination = {
    .name = "doctor",
    .group = "Diagnostics",
    .summary = "check whether this machine can build and run programs",
    .description =
        "Checks compilers, tools, libraries, the kernel, io_uring, limits, disk, memory, clock and locale.\n"
        "Prints each problem with the command that fixes it and, if a reboot reverts the fix, the change that\n"
        "makes the fix permanent. The exit status is 1 if something is broken.",
    .operands = {},
    .options = doctor_detail::options,
    .examples = doctor_detail::examples,
    .run = doctor_detail::run,
};

}  // namespace apus::cli::commands
