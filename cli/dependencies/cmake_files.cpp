// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/cmake_files.hpp"

#include <algorithm>

namespace apus::cli::dependencies {

namespace {

std::string upper(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

bool is_found_by_pkg_config(const locked& one) {
    return one.source == "system" && one.cmake.empty() && !one.pkg_config.empty();
}

void add_heading(std::string& text, const locked& one) {
    text.append("\n# ").append(one.name).append(" ").append(one.version);
    if (!one.license.empty()) text.append(" (").append(one.license).append(")");
    if (one.source == "system")
        text.append(one.package.empty() ? " from the system" : ": the distribution's " + one.package);
    else text.append(one.source == "git" ? ": " : ": Conan, from ").append(one.from);
    text += "\n";
}

void add_git(std::string& text, const locked& one) {
    const std::string copy = "${CMAKE_CURRENT_LIST_DIR}/../.apus/sources/" + one.name;
    text += "if(EXISTS \"" + copy +
            "\")  # link to the cache of `apus`\n"
            "  set(FETCHCONTENT_SOURCE_DIR_" +
            upper(one.name) + " \"" + copy +
            "\")\nendif()\n"
            "FetchContent_Declare(" +
            one.name + " GIT_REPOSITORY " + one.from + " GIT_TAG " + one.revision +
            ")\n"
            "FetchContent_MakeAvailable(" +
            one.name + ")\n";
}

void add_package(std::string& text, const locked& one) {
    add_heading(text, one);
    if (one.source == "git") add_git(text, one);
    else if (is_found_by_pkg_config(one))
        text += "pkg_check_modules(" + one.name + " REQUIRED IMPORTED_TARGET " + one.pkg_config + ")\n";
    else if (!one.cmake.empty())
        text += "find_package(" + one.cmake + " REQUIRED" + (one.source == "conan" ? " CONFIG" : "") + ")\n";
    if (!one.target.empty()) text += "list(APPEND apus_dependencies " + one.target + ")\n";
}

}  // namespace

std::string cmake_of(const lock& all) {
    std::string text =
        "# Written by `apus` from apus.lock. Builds without `apus` use this file too. apus_application links the "
        "targets "
        "in apus_dependencies.\n"
        "set(apus_dependencies)\n";
    const auto any = [&](auto&& what) {
        return std::ranges::any_of(all, [&](const locked& one) { return one.direct() && what(one); });
    };
    if (any(is_found_by_pkg_config)) text += "find_package(PkgConfig REQUIRED)\n";
    if (any([](const locked& one) { return one.source == "git"; })) text += "include(FetchContent)\n";
    if (any([](const locked& one) { return one.source == "conan"; }))
        text +=
            "list(PREPEND CMAKE_PREFIX_PATH \"${CMAKE_CURRENT_LIST_DIR}/../.apus/conan\")\n"
            "if(NOT EXISTS \"${CMAKE_CURRENT_LIST_DIR}/../.apus/conan\")\n"
            "  message(FATAL_ERROR \"run `apus lock`, or: conan install cmake -of .apus/conan "
            "--build=missing\")\nendif()\n";
    for (const locked& one : all)
        if (one.direct()) add_package(text, one);
    return text;
}

}  // namespace apus::cli::dependencies
