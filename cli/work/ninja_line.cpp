// SPDX-License-Identifier: Apache-2.0
#include "cli/work/ninja_line.hpp"

namespace apus::cli::work {

namespace {

using kind = ninja_line::kind;

// Returns the text after "[3/12] "; empty if the line has another form.
std::string_view step_of(std::string_view line) {
    const std::size_t end = line.find("] ");
    if (!line.starts_with('[') || end == line.npos ||
        line.substr(1, end - 1).find_first_not_of("0123456789/") != line.npos)
        return {};
    return line.substr(end + 2);
}

// Returns the source of an object file: src/app.cpp for "CMakeFiles/shop_parts.dir/src/app.cpp.o".
std::string source_of(std::string_view object) {
    if (const auto at = object.find(".dir/"); at != object.npos) object.remove_prefix(at + 5);
    if (object.ends_with(".o")) object.remove_suffix(2);
    return std::string(object);
}

}  // namespace

ninja_line read_ninja_line(std::string_view line) {
    if (line.starts_with("ninja: ")) return {line.starts_with("ninja: error:") ? kind::text : kind::silent};
    if (line.starts_with("-- ")) return {kind::silent};  // output of CMake, which Ninja runs again
    if (line.starts_with("FAILED: ")) return {kind::failed};
    const std::string_view step = step_of(line);
    if (step.empty()) return {};
    if (step.ends_with("/cmake_pch.hxx.pch") || step.ends_with("/cmake_pch.hxx.gch"))
        return {kind::step, "Precompiled", "headers of Apus and of the standard library"};
    if (step.ends_with("/precompiled.cpp.o")) return {kind::silent};
    if (step.starts_with("Building ")) return {kind::step, "Compiled", source_of(step.substr(step.rfind(' ') + 1))};
    if (step.starts_with("Linking ")) return {kind::step, "Linked", std::string(step.substr(step.rfind(' ') + 1))};
    return {kind::silent};
}

}  // namespace apus::cli::work
