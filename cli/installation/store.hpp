// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::installation {

/// An SDK: headers, library, CMake and pkg-config files of one version and profile, in one folder.
struct sdk {
    std::string name;  ///< "0.1.0-web".
    std::filesystem::path folder;
    bool in_use = false;  ///< Whether the link `current` of its store points to this SDK.
};

/// Returns true if a folder contains an SDK.
bool is_sdk(const std::filesystem::path& folder);

/// Returns the folders for SDKs: the folder of the tool's installation, and the user's folder.
/// The folders need not exist.
std::vector<std::filesystem::path> stores();

/// Returns all installed SDKs, sorted by store and name.
std::vector<sdk> installed();

/// Returns the SDK with this name, from the first store that has one.
std::optional<sdk> find_sdk(std::string_view name);

/// Requirement of `[sdk]` in apus.toml.
struct pin {
    /// Empty: any version. The SDK in use is preferred, then the newest.
    std::string version{};
    std::string profile{};  ///< Empty: `full`, or an SDK without a profile in its name.
    /// Components of a profile that the project defines.
    /// If no SDK has the profile's name, an SDK with all of these components matches.
    std::vector<std::string> components{};
};

/// Returns the pinned SDK, if it is installed.
std::optional<sdk> pinned(const pin&);

/// Compares SDK names by version: 0.10.1-web is newer than 0.9.0-web.
bool is_newer(std::string_view name, std::string_view than);

/// Returns the SDK in use, from the first store that has one.
std::optional<sdk> in_use();

/// Makes an SDK the default of its store. Running programs are not affected.
void use(const sdk& which);

}  // namespace apus::cli::installation
