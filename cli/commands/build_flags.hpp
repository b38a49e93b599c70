// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/commands/arguments.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::commands {

inline constexpr option release_flag{
    .name = "release", .letter = 'r', .summary = "build with optimization, as for deployment"};
inline constexpr option preset_flag{
    .name = "preset", .value = "NAME", .summary = "a preset of CMakePresets.json (default: dev)"};
inline constexpr option sanitize_flag{
    .name = "sanitize", .value = "address|thread", .summary = "build with this sanitizer"};
inline constexpr option jobs_flag{
    .name = "jobs", .letter = 'j', .value = "NUMBER", .summary = "number of parallel compilers"};

/// Returns the preset that the options select. Throws E0102 if more than one option is given.
inline std::string preset_of(const arguments& given) {
    if (given.has("release") + given.has("preset") + given.has("sanitize") > 1)
        misuse("`--release`, `--preset` and `--sanitize` exclude each other", given.of());
    return work::preset_for(
        {.release = given.has("release"), .named = given.value("preset"), .sanitizer = given.value("sanitize")});
}

}  // namespace apus::cli::commands
