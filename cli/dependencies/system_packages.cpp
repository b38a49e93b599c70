// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/system_packages.hpp"

#include <algorithm>

#include <unistd.h>

#include "base/ascii.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::dependencies {

bool is_package_name(std::string_view name) noexcept {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || base::is_digit(c) || c == '+' || c == '-' || c == '.';
    };
    return name.size() > 1 && (base::is_digit(name[0]) || base::is_letter(name[0])) && !name.ends_with('-') &&
           std::ranges::all_of(name, allowed);
}

std::vector<std::string> missing_packages(const std::vector<std::string>& packages) {
    std::vector<std::string> missing;
    if (packages.empty() || !system::has_program("dpkg-query")) return missing;
    for (const std::string& each : packages)
        if (system::run({.words = {"dpkg-query", "-W", "-f=${db:Status-Status}", "--", each}}).out != "installed")
            missing.push_back(each);
    return missing;
}

void install_packages(const std::vector<std::string>& packages, terminal::shell& shell) {
    std::string names;
    for (const std::string& each : packages) {
        if (!is_package_name(each)) throw errors::failure("E0510", "`" + each + "` is not a valid package name");
        names += " " + each;
    }
    const std::string command = "apt-get install" + names;
    const bool superuser = geteuid() == 0;
    if (!system::has_program("apt-get") || (!superuser && !system::has_program("sudo")))
        throw errors::failure("E0510", "cannot install packages: this requires apt-get, and root or sudo",
                              "run as root: `" + command + "`");
    system::invocation install{.words = {"apt-get", "install", "-y", "--"},
                               .environment = {{"DEBIAN_FRONTEND", "noninteractive"}}};
    if (!superuser) install.words.insert(install.words.begin(), "sudo");
    install.words.insert(install.words.end(), packages.begin(), packages.end());
    shell.event("Installing", names.substr(1));
    if (system::run_in_terminal(install) != 0)
        throw errors::failure("E0510", "`" + command + "` failed",
                              "the output of apt-get is above; `apt-get update` may be required first");
}

}  // namespace apus::cli::dependencies
