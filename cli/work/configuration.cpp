// SPDX-License-Identifier: Apache-2.0
#include "cli/work/configuration.hpp"

#include "cli/manifest/manifest.hpp"
#include "cli/system/process.hpp"
#include "cli/work/build.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

int print_configuration(const std::string& preset, std::string_view option, std::span<const std::string_view> arguments,
                        terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    build(project, {.preset = preset}, shell);
    system::invocation what{.words = {program_of(project, preset).string(), std::string(option)},
                            .folder = project.folder};
    for (const auto& word : arguments) what.words.emplace_back(word);
    const system::outcome ended = system::run(what);
    // The message of a server without `apus::config`.
    if (ended.error.contains("unknown option `" + std::string(option) + "`"))
        throw errors::failure("E0318",
                              "the program has no configuration: it does not know `" + std::string(option) + "`",
                              "read its settings with `apus::config<T>`; see docs/configuration.md");
    shell.copy_output(ended.out);
    shell.copy_error(ended.error);
    return ended.status;
}

}  // namespace apus::cli::work
