// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/dependencies/bill.hpp"

namespace apus::cli::commands {

namespace sbom_detail {

constexpr std::string_view examples[] = {"apus sbom > bom.json"};

int run(const arguments& given, context& in) {
    static_cast<void>(given);
    const manifest::manifest project = manifest::find();
    in.shell.print(
        dependencies::cyclonedx(dependencies::bill_of_project(project, dependencies::read_lock_of(project.folder))));
    return 0;
}

}  // namespace sbom_detail

constinit const command sbom = {
    .name = "sbom",
    .group = "Dependencies",
    .summary = "print a bill of materials: CycloneDX 1.6",
    .description =
        "JSON with Apus and each package of apus.lock: version, license, hash, package URL and\n"
        "dependencies. With SOURCE_DATE_EPOCH set, the output is reproducible.",
    .operands = {},
    .options = {},
    .examples = sbom_detail::examples,
    .run = sbom_detail::run,
};

}  // namespace apus::cli::commands
