// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/mend.hpp"

#include "cli/errors/failure.hpp"
#include "cli/system/process.hpp"
#include "cli/text/joined.hpp"

namespace apus::cli::doctor {
bool mend(std::span<const finding> all, bool superuser, terminal::shell& shell) {
    const auto commands = safe_commands(all);
    if (commands.empty()) return false;
    if (!superuser)
        throw errors::failure("E0801", "`" + text::joined(commands[0]) + "` is for root", "`sudo apus doctor --fix`");
    for (const auto& words : commands) {
        const auto said = system::run({.words = words, .environment = {{"DEBIAN_FRONTEND", "noninteractive"}}});
        if (!said.ok())
            throw errors::failure("E0802", "`" + text::joined(words) + "` failed: " +
                                               said.error.substr(0, said.error.find_last_not_of('\n') + 1));
        shell.event("Mended", text::joined(words));
    }
    for (const finding& each : all) {
        if (each.safe && !each.keep.empty())
            shell.hint("that lasts until the next start of the machine; to keep it, `" + each.keep + "`");
    }
    return true;
}

}  // namespace apus::cli::doctor
