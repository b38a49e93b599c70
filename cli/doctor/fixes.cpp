// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/fixes.hpp"

#include "cli/errors/failure.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::doctor {
bool apply_fixes(std::span<const finding> all, bool superuser, terminal::shell& shell) {
    const auto commands = safe_commands(all);
    if (commands.empty()) return false;
    if (!superuser)
        throw errors::failure("E0801", "`" + text::joined(commands[0]) + "` requires root", "`sudo apus doctor --fix`");
    for (const auto& words : commands) {
        const auto said = system::run({.words = words, .environment = {{"DEBIAN_FRONTEND", "noninteractive"}}});
        if (!said.ok())
            throw errors::failure("E0802", "`" + text::joined(words) + "` failed: " +
                                               said.error.substr(0, said.error.find_last_not_of('\n') + 1));
        shell.event("Fixed", text::joined(words));
    }
    for (const finding& each : all) {
        if (each.safe && !each.persist.empty())
            shell.hint("the setting is lost at the next reboot; to keep it, run `" + each.persist + "`");
    }
    return true;
}

}  // namespace apus::cli::doctor
