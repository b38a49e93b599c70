// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest/package_table.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace apus::cli::manifest {

namespace {

void put_lines(std::vector<std::string>& where, table& from, std::string_view key) {
    put(where, from.texts(key));
    for (const std::string& each : where)
        if (each.empty() || each.find_first_of("\n\r") != each.npos)
            from.refuse("E0206", key, "contains a string that is empty or has more than one line");
}

// Throws E0206 if a name breaks the rules for names of Debian packages and users.
void check_name(const std::string& name, table& from, std::string_view key, std::size_t most) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || base::is_digit(c) || c == '-'; };
    if (name.empty()) return;
    if (name.size() < 2 || name.size() > most || !std::ranges::all_of(name, letter) ||
        !(name[0] >= 'a' && name[0] <= 'z'))
        from.refuse("E0206", key,
                    "is `" + name + "`; it must begin with a letter and have 2 to " + std::to_string(most) +
                        " lower-case letters, digits and `-`");
}

void check_path_inside(const std::string& path, table& from, std::string_view key) {
    if (path.empty() || path[0] == '/' || ("/" + path + "/").contains("/../"))
        from.refuse("E0206", key, "contains `" + path + "`, which is not a path in the project");
}

service_table read_service(table&& from) {
    service_table made;
    put(made.memory, from.line("memory"));
    put(made.cpu, from.integer("cpu", 1, 100'000));
    put(made.descriptors, from.integer("descriptors", 64, 1'000'000'000));
    put(made.stop, from.integer("stop", 1, 86'400));
    put(made.restart, from.choice("restart", "no|on-failure|always"));
    put_lines(made.lines, from, "lines");
    from.end();
    const std::string_view memory = made.memory;
    const auto digits = memory.find_first_not_of("0123456789");
    const bool unit =
        !memory.empty() && digits == memory.size() - 1 && std::string_view("KMGT").contains(memory.back());
    if (!memory.empty() && (digits == 0 || (digits != memory.npos && !unit)))
        from.refuse("E0206", "memory",
                    "is `" + made.memory + "`; it must be a number of bytes, optionally followed by K, M, G or T");
    return made;
}

image_table read_image(table&& from) {
    image_table made;
    put(made.base, from.choice("base", "scratch|debian"));
    put(made.health, from.line("health"));
    put(made.timezones, from.boolean("timezones"));
    put_lines(made.packages, from, "packages");
    from.end();
    if (!made.health.empty() && made.health[0] != '/')
        from.refuse("E0206", "health", "is `" + made.health + "`; it must be a path such as `/health`");
    return made;
}

void read_files(package_table& made, table&& from) {
    for (const std::string& key : from.keys()) {
        check_path_inside(key, from, key);
        const std::string to = *from.text(key);
        if (to.size() < 2 || to[0] != '/' || (to + "/").contains("/../") || to.contains("//"))
            from.refuse("E0206", key, "is `" + to + "`; it must be the absolute path of the installed file or folder");
        made.files.emplace_back(key, to);
    }
}

}  // namespace

package_table read_package(table&& from) {
    package_table made;
    put(made.name, from.text("name"));
    check_name(made.name, from, "name", 64);
    put(made.maintainer, from.line("maintainer"));
    const auto open = made.maintainer.find(" <");
    if (!made.maintainer.empty() &&
        (open == 0 || open == std::string::npos || !made.maintainer.ends_with('>') || !made.maintainer.contains('@')))
        from.refuse("E0206", "maintainer",
                    "is `" + made.maintainer + "`; it must have the form `Name <name@example.org>`");
    put(made.summary, from.line("summary"));
    put(made.description, from.text("description"));
    put(made.section, from.line("section"));
    put(made.user, from.text("user"));
    check_name(made.user, from, "user", 31);
    put(made.host, from.line("host"));
    put(made.port, from.integer("port", 1, 65535));
    put_lines(made.arguments, from, "arguments");
    put_lines(made.depends, from, "depends");
    put_lines(made.config, from, "config");
    for (const std::string& each : made.config) check_path_inside(each, from, "config");
    if (auto folders = from.texts("folders")) made.folders = std::move(folders);
    for (const std::string& each : made.folders.value_or(std::vector<std::string>()))
        check_path_inside(each, from, "folders");
    put(made.manual, from.line("manual"));
    if (!made.manual.empty()) check_path_inside(made.manual, from, "manual");
    const std::string_view end =
        std::string_view(made.manual).substr(made.manual.size() - std::min<std::size_t>(2, made.manual.size()));
    const bool no_name = made.manual.size() == 2 || made.manual.ends_with("/" + std::string(end));
    if (!made.manual.empty() && (no_name || end.size() < 2 || end[0] != '.' || end[1] < '1' || end[1] > '8'))
        from.refuse("E0206", "manual",
                    "is `" + made.manual + "`; it must be a file whose name ends with the section, such as `shop.1`");
    put(made.daemon, from.boolean("daemon"));
    if (auto files = from.inner("files")) read_files(made, std::move(*files));
    if (auto service = from.inner("service")) made.service = read_service(std::move(*service));
    if (auto image = from.inner("image")) made.image = read_image(std::move(*image));
    from.end();
    return made;
}

}  // namespace apus::cli::manifest
