// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/examine.hpp"

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/doctor/mend.hpp"

namespace apus::cli::commands {

namespace {

constexpr option options[] = {
    {.name = "fix", .summary = "run the commands that are safe: packages are installed, the kernel's values set"},
    {.name = "json", .summary = "print a JSON object in place of lines"},
    {.name = "root", .value = "DIR", .summary = "look at the system below DIR, as far as files tell"},
};
constexpr std::string_view examples[] = {"apus doctor", "sudo apus doctor --fix", "apus doctor --json"};

int run(const arguments& given, context& in) {
    const auto root = given.value("root");
    if (root && given.has("fix")) misuse("`--fix` mends this machine, and `--root` looks at another", given.of());
    doctor::machine on = root ? doctor::machine_at(*root) : doctor::this_machine();
    doctor::findings found = doctor::examine(on);
    if (given.has("fix") && doctor::mend(found, on.running->superuser, in.shell))
        found = doctor::examine(doctor::this_machine());
    in.shell.print(given.has("json") ? doctor::json_of(found) : doctor::text_of(found));
    return doctor::any_broken(found) ? 1 : 0;
}

}  // namespace

constinit const command examination = {
    .name = "doctor",
    .group = "Diagnostics",
    .summary = "check whether this machine can build and run programs",
    .description =
        "Looks at compilers, tools, libraries, the kernel and what forbids io_uring, limits, disk, memory,\n"
        "clock and locale. What is not well has the command that mends it, and where it would not last\n"
        "beyond the next start of the machine, what keeps it. Ends with 1 if something is broken.",
    .operands = {},
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
