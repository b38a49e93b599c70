// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/documents.hpp"

#include "cli/packaging/engine.hpp"
#include "cli/system/files.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::packaging {

namespace {

// Licenses whose texts are in /usr/share/common-licenses of every Debian system.
constexpr std::string_view common =
    "Apache-2.0|Artistic|BSD|CC0-1.0|GPL-1|GPL-2|GPL-3|LGPL-2|LGPL-2.1|LGPL-3|MPL-1.1|MPL-2.0";

std::string spdx_stem(std::string_view license) {
    for (const std::string_view end : {"-only", "-or-later", ".0-only", ".0-or-later"})
        if (license.ends_with(end) && text::is_choice(license.substr(0, license.size() - end.size()), common))
            license.remove_suffix(end.size());
    return std::string(license);
}

std::string license_text(const product& of) {
    const std::string stem = spdx_stem(of.of.project.license);
    if (text::is_choice(stem, common))
        return " On Debian systems, the full text of the license is in /usr/share/common-licenses/" + stem + ".\n";
    std::error_code none;
    for (const char* name : {"LICENSE", "LICENSE.txt", "LICENSE.md", "COPYING"})
        if (std::filesystem::is_regular_file(of.of.folder / name, none))
            return indented(system::read_file(of.of.folder / name));
    return " When this package was built, the project did not contain a file with the text of the license.\n";
}

std::string roff(std::string_view text) {
    std::string escaped;
    bool begins_line = true;
    for (const char c : text) {
        if (begins_line && (c == '.' || c == '\'')) escaped += "\\&";
        if (c == '\\' || c == '-') escaped += '\\';
        escaped += c == '\\' ? 'e' : c;
        begins_line = c == '\n';
    }
    return escaped;
}

}  // namespace

std::string indented(std::string_view text) {
    std::string made;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    for (const std::string_view line : text::split(text, '\n')) {
        const bool empty = line.find_first_not_of(" \t\r") == line.npos;
        made.append(empty ? " ." : " ").append(empty ? "" : line).append("\n");
    }
    return made;
}

std::string copyright(const product& of) {
    const manifest::project_table& project = of.of.project;
    std::string holders;
    for (const std::string& author : project.authors)
        holders.append(holders.empty() ? "" : "\n           ").append(author);
    if (holders.empty()) holders = of.maintainer.empty() ? "the authors" : of.maintainer;
    const std::string license = project.license.empty() ? "proprietary" : project.license;
    return "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: " +
           project.name + (project.homepage.empty() ? "" : "\nSource: " + project.homepage) +
           "\n\nFiles: *\nCopyright: " + date(of.epoch, "%Y") + " " + holders + "\nLicense: " + license + "\n" +
           license_text(of);
}

std::string debian_changelog(const product& of) {
    return of.name + " (" + of.version + ") unstable; urgency=medium\n\n  * Version " + of.of.project.version +
           ".\n\n -- " + of.maintainer + "  " + date(of.epoch, "%a, %d %b %Y %H:%M:%S +0000") + "\n";
}

std::string manual_page(const product& of) {
    std::string text = ".TH \"" + roff(of.program) + "\" 1 \"" + date(of.epoch, "%Y-%m-%d") + "\" \"" +
                       roff(of.name + " " + of.of.project.version) + "\"\n.SH NAME\n";
    text.append(roff(of.program))
        .append(" \\- ")
        .append(roff(of.summary))
        .append("\n.SH SYNOPSIS\n.B ")
        .append(roff(of.program))
        .append("\n[OPTIONS]\n.SH DESCRIPTION\n");
    text.append(roff(of.description)).append("\n.SH OPTIONS\n.TP\n.B \\-\\-help\nLists all options.\n");
    if (!of.of.package.daemon) return text;
    text.append(".SH FILES\n.TP\n.I /etc/")
        .append(roff(of.name + "/" + of.name))
        .append(".env\nOptions and variables for the service.\n.TP\n.I /var/lib/");
    return text.append(roff(of.name)).append("\nData of the service.\n");
}

std::string gzipped(std::string content) {
    return run_engine({.words = {"gzip", "-9", "-n", "-c"}, .input = std::move(content)});
}

}  // namespace apus::cli::packaging
