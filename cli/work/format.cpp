// SPDX-License-Identifier: Apache-2.0
#include "cli/work/format.hpp"

#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/work/sources.hpp"

namespace apus::cli::work {

bool format(bool only_check, terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    const std::string formatter = llvm_program("clang-format");
    std::size_t changed = 0;
    const std::vector<std::string> files = sources_of(project);
    for (const std::string& file : files) {
        const std::string before = system::read_file(project.folder / file);
        const system::outcome ended =
            system::run({.words = {formatter, "--assume-filename=" + file}, .folder = project.folder, .input = before});
        if (!ended.ok()) throw errors::failure("E0306", "clang-format failed for `" + file + "`: " + ended.error);
        if (ended.out == before) continue;
        ++changed;
        shell.event(only_check ? "Differs" : "Formatted", file);
        if (!only_check) system::replace_file(project.folder / file, ended.out);
    }
    shell.event("Checked", "the format of " + std::to_string(files.size()) + " files");
    if (only_check && changed) shell.hint("`apus fmt` formats these files");
    return !only_check || changed == 0;
}

}  // namespace apus::cli::work
