// SPDX-License-Identifier: Apache-2.0
#include "cli/manifest/check_table.hpp"

#include <algorithm>

namespace apus::cli::manifest {

namespace {

std::vector<forbidden_includes> read_forbidden(table&& from) {
    std::vector<forbidden_includes> made;
    for (const std::string& folder : from.keys()) {
        if (folder.empty() || folder.starts_with('/') || ("/" + folder + "/").contains("/../"))
            from.refuse("E0206", folder, "must be a relative path of a folder in the project");
        made.push_back({folder, *from.texts(folder)});
        if (std::ranges::any_of(made.back().names, &std::string::empty))
            from.refuse("E0206", folder, "contains an empty string");
    }
    return made;
}

}  // namespace

check_table read_check(table&& from) {
    check_table made;
    put(made.lines, from.integer("lines", 1, 1'000'000));
    put(made.commands, from.texts("commands"));
    for (const std::string& each : made.commands)
        if (each.empty() || each.find_first_of("\n\r") != each.npos)
            from.refuse("E0206", "commands", "contains a command that is empty or has more than one line");
    if (auto forbidden = from.inner("forbidden")) made.forbidden = read_forbidden(std::move(*forbidden));
    from.end();
    return made;
}

}  // namespace apus::cli::manifest
