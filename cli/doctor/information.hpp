// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::doctor {

/// Information about the tool for `apus info`.
struct information {
    struct folder {
        std::string name;
        std::uint64_t bytes = 0;  ///< Total size of all files below the folder.
    };
    std::string version, program, shared, data, cache;
    std::optional<std::string> project{}, project_sdk{};  ///< Project of the current folder, and its pinned SDK.
    std::vector<std::string> sdks{};                      ///< Installed SDKs, sorted by path.
    std::optional<std::string> current_sdk{};             ///< Default SDK of projects without a pinned version.
    std::optional<std::string> named_sdk{};               ///< Folder in APUS_SDK, which overrides all other SDKs.
    std::vector<folder> caches{};                         ///< Contents of the cache folder, by name.
};

/// Collects the information. Missing folders count as empty.
information collect_information(std::string_view version);

/// Returns one line per item.
std::string text_of(const information&);

/// Returns the information as a JSON object in one line.
std::string json_of(const information&);

}  // namespace apus::cli::doctor
