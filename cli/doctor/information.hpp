// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apus::cli::doctor {

/// What `apus info` tells of the tool itself.
struct information {
    struct folder {
        std::string name;
        std::uint64_t bytes = 0;  ///< In all files below it.
    };
    std::string version, program, shared, data, cache;
    std::optional<std::string> project{}, project_sdk{};  ///< Of the folder that the tool is called in.
    std::vector<std::string> sdks{};                      ///< Those that are installed, by their folders' paths.
    std::optional<std::string> current_sdk{};             ///< That which projects use that pin none.
    std::optional<std::string> named_sdk{};               ///< The folder in APUS_SDK, which all projects use then.
    std::vector<folder> caches{};                         ///< What the cache folder has, by name.
};

/// What is so here. Folders that are not there hold nothing.
information inform(std::string_view version);

/// A line for each thing.
std::string text_of(const information&);

/// The same as a JSON object in one line.
std::string json_of(const information&);

}  // namespace apus::cli::doctor
