// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/engine.hpp"
#include "cli/packaging/formats.hpp"
#include "cli/packaging/documents.hpp"
#include "cli/packaging/scripts.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::packaging {

namespace {

// Returns the output of dpkg-shlibdeps: "libc6 (>= 2.34), libstdc++6 (>= 12)". Creates a debian/control, since
// dpkg-shlibdeps requires a source package.
std::string library_packages(const product& of, const fs::path& work) {
    const fs::path source = work / "source";
    system::replace_file(source / "debian/control",
                         "Source: " + of.name + "\n\nPackage: " + of.name + "\nArchitecture: any\n");
    system::invocation ask{.words = {"dpkg-shlibdeps", "-O", "--warnings=0", "-e" + of.binary.string()},
                           .folder = source,
                           .environment = {{"DEB_HOST_ARCH", std::string(of.machine->debian)}}};
    // Ignores libapus.so, which is not in a distribution package, but includes the libraries that libapus.so needs.
    if (!of.apus_library.empty())
        ask.words.insert(ask.words.end(), {"-l" + of.apus_library.parent_path().string(), "--ignore-missing-info",
                                           "-e" + of.apus_library.string()});
    const std::string said = run_engine(std::move(ask));
    const std::string key = "shlibs:Depends=";
    const auto at = said.find(key);
    return at == said.npos ? "" : said.substr(at + key.size(), said.find('\n', at) - at - key.size());
}

std::string control(const product& of, const tree& staged, const fs::path& work) {
    std::string depends = library_packages(of, work);
    const auto also = [&](const std::string& more) {
        depends.append(depends.empty() || more.empty() ? "" : ", ").append(more);
    };
    // systemd-standalone-sysusers is sufficient on systems without systemd.
    if (of.of.package.daemon) also("systemd-standalone-sysusers | systemd");
    for (const std::string& each : of.of.package.depends) also(each);
    std::string text = "Package: " + of.name + "\nVersion: " + of.version +
                       "\nArchitecture: " + std::string(of.machine->debian) + "\nMaintainer: " + of.maintainer +
                       "\nInstalled-Size: " + std::to_string((staged.size() + 1023) / 1024) + "\n";
    if (!depends.empty()) text.append("Depends: ").append(depends).append("\n");
    text.append("Section: ").append(of.of.package.section).append("\nPriority: optional\n");
    if (!of.of.project.homepage.empty()) text.append("Homepage: ").append(of.of.project.homepage).append("\n");
    return text + "Description: " + of.summary + "\n" + indented(of.description);
}

// Returns a line like "d41d8cd9... usr/bin/shop" for each file. Omits configuration files, whose hashes dpkg stores
// itself.
std::string sums(const tree& staged, const fs::path& root) {
    system::invocation md5{.words = {"md5sum", "--"}, .folder = root};
    for (const auto& [path, each] : staged.entries())
        if (each.what == entry::kind::file && !each.config) md5.words.push_back(path);
    return run_engine(std::move(md5));
}

}  // namespace

fs::path make_deb(const product& of, const tree& staged, const fs::path& work) {
    tree about;
    const fs::path root = work / "deb";
    system::make_folder(root);
    staged.write(root, of.epoch);
    std::string config;
    for (const auto& [path, each] : staged.entries())
        if (each.config) config.append("/").append(path).append("\n");
    about.file("DEBIAN/control", control(of, staged, work));
    about.file("DEBIAN/md5sums", sums(staged, root));
    if (!config.empty()) about.file("DEBIAN/conffiles", config);
    if (of.of.package.daemon) {
        about.file("DEBIAN/postinst", deb_postinst(of), 0755);
        about.file("DEBIAN/prerm", deb_prerm(of), 0755);
        about.file("DEBIAN/postrm", deb_postrm(of), 0755);
    }
    about.write(root, of.epoch);
    const fs::path made =
        work / "artefacts" / (of.name + "_" + of.version + "_" + std::string(of.machine->debian) + ".deb");
    // Uses one thread, since the output of xz depends on the number of threads.
    run_engine({.words = {"dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--threads-max=1", "--build", root.string(),
                          made.string()},
                .environment = {{"SOURCE_DATE_EPOCH", std::to_string(of.epoch)}}});
    system::remove_tree(root);
    return made;
}

}  // namespace apus::cli::packaging
