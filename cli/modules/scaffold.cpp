// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/scaffold.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/errors/failure.hpp"
#include "cli/manifest/document.hpp"
#include "cli/manifest/dependencies.hpp"
#include "cli/modules/inclusions.hpp"
#include "cli/modules/module.hpp"
#include "cli/modules/project_sources.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::modules {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view marker = "// apus: modules";

// Replaces each `@key@` by its value.
std::string filled(std::string_view pattern,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> values) {
    std::string text(pattern);
    for (const auto& [key, value] : values)
        for (std::size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += value.size())
            text.replace(at, key.size(), value);
    return text;
}

constexpr std::string_view app_header =
    "// Public interface of the module @name@.\n"
    "#pragma once\n\n"
    "#include <apus/app.hpp>\n\n"
    "namespace @name@ {\n\n"
    "/// Creates the app with the routes of this module. The application mounts it at @prefix@.\n"
    "apus::app make_app();\n\n"
    "}  // namespace @name@\n";

constexpr std::string_view app_source =
    "@includes@\n"
    "namespace @name@ {\n\n"
    "apus::app make_app() {\n"
    "    apus::app app;\n"
    "    app.get(\"/\", [] { return \"@name@\\n\"; });\n"
    "    return app;\n"
    "}\n\n"
    "}  // namespace @name@\n";

constexpr std::string_view app_test =
    "@includes@\n"
    "TEST_CASE(\"@name@: GET / returns 200\") {\n"
    "    apus::test::client client(@name@::make_app());\n"
    "    CHECK(client.get(\"/\").expect(200).body == \"@name@\\n\");\n"
    "}\n";

constexpr std::string_view library_header =
    "// Public interface of the module @name@.\n"
    "#pragma once\n\n"
    "#include <string_view>\n\n"
    "namespace @name@ {\n\n"
    "/// Name of the module, for logs.\n"
    "std::string_view name() noexcept;\n\n"
    "}  // namespace @name@\n";

constexpr std::string_view library_source =
    "@includes@\n"
    "namespace @name@ {\n\n"
    "std::string_view name() noexcept { return \"@name@\"; }\n\n"
    "}  // namespace @name@\n";

constexpr std::string_view library_test =
    "@includes@\n"
    "TEST_CASE(\"@name@: it has a name\") { CHECK(@name@::name() == \"@name@\"); }\n";

std::string description(const module_options& of) {
    std::string text = "name = " + manifest::toml_string(of.name) + "\n";
    if (!of.summary.empty()) text += "summary = " + manifest::toml_string(of.summary) + "\n";
    if (!of.prefix.empty()) text += "prefix = " + manifest::toml_string(of.prefix) + "\n";
    std::string needs;
    for (const std::string& each : of.needs) needs += (needs.empty() ? "" : ", ") + manifest::toml_string(each);
    return text + "needs = [" + needs + "]\n";
}

// Returns one public header of each needed module. The new source includes them, since `apus module check` reports
// unused needs.
std::vector<std::string> headers_of(const fs::path& root, const std::vector<std::string>& needs) {
    std::vector<std::string> found;
    for (const std::string& each : needs) {
        const fs::path open = fs::path("modules") / each / "include";
        const auto headers = files_below(root, open / each, header_endings);
        if (!headers.empty()) found.push_back(headers.front().lexically_relative(open).string());
    }
    return found;
}

void write_files(const fs::path& root, const module_options& of, const system::staged_folder& made) {
    const std::string stem = of.library ? of.name : "app";
    const std::string own = of.name + "/" + stem + ".hpp";
    auto write = [&](const fs::path& file, std::string_view pattern, std::vector<std::string> headers) {
        headers.push_back(own);
        system::write_file(made.path() / file, filled(pattern, {{"@name@", of.name},
                                                                {"@prefix@", of.prefix},
                                                                {"@includes@", inclusions(std::move(headers))}}));
    };
    system::write_file(made.path() / "module.toml", description(of));
    system::write_file(made.path() / "include" / own, filled(of.library ? library_header : app_header,
                                                             {{"@name@", of.name}, {"@prefix@", of.prefix}}));
    write(fs::path("src") / (stem + ".cpp"), of.library ? library_source : app_source, headers_of(root, of.needs));
    write(fs::path("tests") / (stem + "_test.cpp"), of.library ? library_test : app_test,
          of.library ? std::vector<std::string>{"doctest/doctest.h"}
                     : std::vector<std::string>{"doctest/doctest.h", "apus/test.hpp"});
}

struct marked_source {
    fs::path file;
    std::string text;
    std::size_t line_begin;  // start of the line with the marker
};

std::optional<marked_source> find_marker(const fs::path& root) {
    for (const fs::path& file : files_below(root, "src", source_endings)) {
        std::string text = system::read_file(root / file);
        const std::size_t at = text.find(marker);
        if (at == std::string::npos) continue;
        const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
        if (text.find_first_not_of(" \t", begin) == at) return marked_source{file, std::move(text), begin};
    }
    return std::nullopt;
}

// Mounts a module. Returns the position, such as "src/app.cpp:8", or nothing if no source has the marker.
std::string mount(const fs::path& root, const std::string& header, const std::string& line,
                  system::replacements& sources) {
    auto marked = find_marker(root);
    if (!marked) return {};
    std::string& text = marked->text;
    // The line is already present if an earlier process was killed before it created the module.
    if (text.contains(line)) return sources.update(root / marked->file, text), marked->file.string();
    const std::size_t indent = text.find_first_not_of(" \t", marked->line_begin) - marked->line_begin;
    const std::string indented = text.substr(marked->line_begin, indent) + line + "\n";
    text.insert(marked->line_begin, indented);
    const auto lines_before =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(marked->line_begin), '\n');
    const auto number = lines_before + 1 + include(text, header);
    sources.add(root / marked->file, text);
    return marked->file.string() + ":" + std::to_string(number);
}

void check_wanted(const fs::path& root, const module_options& of, const std::vector<app_module>& all) {
    std::string why;
    if (!is_module_name(of.name, why)) throw errors::failure("E0602", "the name `" + of.name + "` " + why);
    if (!of.prefix.empty() && !is_prefix(of.prefix, why))
        throw errors::failure("E0602", "the prefix `" + of.prefix + "` " + why);
    if (std::error_code none; fs::exists(root / "modules", none) && !fs::is_directory(root / "modules", none))
        throw errors::failure("E0601", "`modules` is not a folder");
    if (fs::exists(fs::symlink_status(root / "modules" / of.name)))
        throw errors::failure("E0601", "`modules/" + of.name + "` already exists");
    for (const app_module& each : all)
        if (!of.prefix.empty() && each.prefix == of.prefix)
            throw errors::failure("E0601",
                                  "the prefix `" + of.prefix + "` is already used by the module `" + each.name + "`",
                                  "choose another prefix with `--prefix`");
    for (const std::string& need : of.needs)
        if (!find(all, need))
            throw errors::failure("E0603", "unknown module `" + need + "` in `--needs`", closest_module(all, need));
}

}  // namespace

void make_module(const fs::path& root, module_options wanted, terminal::shell& shell) {
    const system::folder_lock alone(root / "build",
                                    [&] { shell.event("Waiting", "for another `apus` process in this project"); });
    const std::vector<app_module> all = read_all(root);
    if (!wanted.library && wanted.prefix.empty()) {
        wanted.prefix = "/" + wanted.name;
        std::ranges::replace(wanted.prefix, '_', '-');
    }
    check_wanted(root, wanted, all);
    // Throws E0202 if the summary is not valid UTF-8.
    [[maybe_unused]] const manifest::document checked(description(wanted), "--summary");
    system::staged_folder made(root / "modules" / wanted.name);
    write_files(root, wanted, made);
    const std::string header = wanted.name + "/app.hpp",
                      line = "app.mount(\"" + wanted.prefix + "\", " + wanted.name + "::make_app());";
    system::replacements sources;
    const std::string where = wanted.library ? "" : mount(root, header, line, sources);
    sources.adopt(made);  // last, so that an interrupted command can be repeated
    sources.commit();
    shell.event("Created", "module `" + wanted.name + "` in modules/" + wanted.name);
    if (!where.empty()) shell.event("Mounted", "at " + wanted.prefix + ": " + where);
    else if (!wanted.library)
        shell.hint("add `#include <" + header + ">` and `" + line + "` where the application is created");
}

}  // namespace apus::cli::modules
