// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/engine.hpp"
#include "cli/packaging/formats.hpp"
#include "cli/packaging/scripts.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::packaging {

namespace {

// Macros that disable post-processing and keep time, host and build folder out of the package.
constexpr std::string_view settings = R"(%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global source_date_epoch_from_changelog 0
%global _buildhost reproducible
%global _binary_payload w9.gzdio
)";

std::string macros_escaped(std::string_view text) {
    std::string made;
    for (const char c : text) made.append(c == '%' ? 2 : 1, c);
    return made;
}

std::string files(const tree& staged) {
    std::string text = "\n%files\n%defattr(-,root,root)\n";
    for (const auto& [path, each] : staged.entries()) {
        if (!each.own) continue;
        text.append(each.what == entry::kind::folder ? "%dir " : each.config ? "%config(noreplace) " : "");
        text.append("\"/").append(macros_escaped(path)).append("\"\n");
    }
    return text;
}

std::string spec(const product& of, const tree& staged, const fs::path& root) {
    const manifest::project_table& project = of.of.project;
    std::string text(settings);
    // The private libapus.so must not satisfy dependencies of other packages.
    if (!of.apus_library.empty())
        text.append("%global __provides_exclude_from ^/usr/lib/")
            .append(of.name)
            .append("/.*$\n%global __requires_exclude ^libapus[.]so.*$\n");
    text.append("Name: ")
        .append(of.name)
        .append("\nVersion: ")
        .append(of.version)
        .append("\nRelease: 1\nSummary: ")
        .append(macros_escaped(of.summary));
    text.append("\nLicense: ").append(macros_escaped(project.license.empty() ? "Proprietary" : project.license));
    text.append("\nPackager: ").append(macros_escaped(of.maintainer)).append("\n");
    if (!project.homepage.empty()) text.append("URL: ").append(macros_escaped(project.homepage)).append("\n");
    for (const std::string& each : of.of.package.depends)
        text.append("Requires: ").append(macros_escaped(each)).append("\n");
    if (of.of.package.daemon) text.append("Requires(post): systemd\n");
    text.append("\n%description\n")
        .append(macros_escaped(of.description))
        .append("\n\n%install\ncp -a '")
        .append(macros_escaped(root.string()))
        .append("/.' %{buildroot}/\n\n");
    if (of.of.package.daemon) text += rpm_scripts(of);
    return text + files(staged) + "\n%changelog\n* " + date(of.epoch, "%a %b %d %Y") + " " +
           macros_escaped(of.maintainer) + " - " + of.version + "-1\n- Version " + of.of.project.version + ".\n";
}

}  // namespace

fs::path make_rpm(const product& of, const tree& staged, const fs::path& work) {
    // Builds in a temporary folder: rpm's macros do not support blanks or quotes, which the project's path may contain.
    const system::staged_folder scratch(fs::temp_directory_path() / "apus-rpm");
    const fs::path &top = scratch.path(), root = top / "root";
    system::make_folder(root);
    staged.write(root, of.epoch);
    system::replace_file(top / "package.spec", spec(of, staged, root));
    // Changes HOME, so that rpmbuild ignores the user's .rpmmacros file.
    run_engine(
        {.words = {"rpmbuild", "-bb", "--quiet", "--target", std::string(of.machine->name) + "-linux", "--define",
                   "_topdir " + top.string(), "--define", "_dbpath " + (top / "db").string(), "--define",
                   "_rpmfilename package.rpm", (top / "package.spec").string()},
         .environment = {{"SOURCE_DATE_EPOCH", std::to_string(of.epoch)}, {"TZ", "UTC"}, {"HOME", top.string()}}});
    const fs::path made =
        work / "artefacts" / (of.name + "-" + of.version + "-1." + std::string(of.machine->name) + ".rpm");
    system::write_file(made, system::read_file(top / "RPMS/package.rpm"));
    return made;
}

}  // namespace apus::cli::packaging
