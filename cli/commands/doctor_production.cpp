// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iterator>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/doctor/examine.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::commands {

namespace doctor_production_detail {

constexpr option options[] = {
    {.name = "service", .value = "NAME", .summary = "the systemd unit to check (the name of the project)"},
    {.name = "certificate", .value = "FILE", .summary = "a certificate to check for expiry", .repeats = true},
    {.name = "json", .summary = "print a JSON object"},
    {.name = "root", .value = "DIR", .summary = "check only the files of the system whose root folder is DIR"},
};
constexpr std::string_view examples[] = {"apus doctor production --service shop",
                                         "apus doctor production --certificate /etc/ssl/shop.pem"};

int run(const arguments& given, context& in) {
    const auto root = given.value("root");
    const doctor::machine on = root ? doctor::machine_at(*root) : doctor::this_machine();
    const auto project = manifest::find_if_any();
    doctor::findings found = doctor::examine_production(
        on, given.value("service").value_or(project ? std::string_view(project->project.name) : ""));
    const std::time_t now = std::time(nullptr);
    if (project)
        std::ranges::move(doctor::examine_certificates(on, project->deploy, project->folder, now),
                          std::back_inserter(found));
    for (std::string_view file : given.values("certificate")) {
        // Throws if the file is missing: a wrong path is an error of the command line, not a finding about the machine.
        system::read_file(file);
        found.push_back(doctor::examine_certificate(file, doctor::ask_openssl(file, {"-enddate"}), now));
    }
    in.shell.print(given.has("json") ? doctor::json_of(found) : doctor::text_of(found));
    return doctor::any_broken(found) ? 1 : 0;
}

}  // namespace doctor_production_detail

constinit const command production = {
    .name = "doctor production",
    .group = "Diagnostics",
    .summary = "check whether this machine is ready for production",
    .description =
        "Checks the limits against higher values, and the settings of a host: kernel queues, huge pages,\n"
        "core files, systemd and the service's unit, ports below 1024, clock, and the certificate set in\n"
        "`[deploy]` of apus.toml: expiry, names and key. The exit status is 1 if something is\n"
        "broken.",
    .operands = {},
    .options = doctor_production_detail::options,
    .examples = doctor_production_detail::examples,
    .run = doctor_production_detail::run,
};

}  // namespace apus::cli::commands
