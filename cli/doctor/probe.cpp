// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/probe.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::doctor {

extern const std::string_view coroutine_probe;  // content of cmake/coroutine_probe.cpp, embedded by the build

bool miscompiles_coroutines(const std::string& compiler) {
    namespace fs = std::filesystem;
    std::error_code none;
    std::string folder = (fs::temp_directory_path(none) / "apus-probe-XXXXXX").string();
    if (!mkdtemp(folder.data())) return false;
    const std::string program = folder + "/probe", source = program + ".cpp";
    bool failed = false;
    try {
        system::write_file(source, coroutine_probe);
        failed = system::run({.words = {compiler, "-std=c++20", source, "-o", program}}).ok() &&
                 system::run({.words = {program}}).status == 42;
    } catch (const errors::failure&) {
        // The probe could not run: the disk is full, the compiler is missing, or the file system is mounted noexec.
        failed = false;
    }
    fs::remove_all(folder, none);
    return failed;
}

}  // namespace apus::cli::doctor
