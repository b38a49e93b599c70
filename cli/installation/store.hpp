// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::installation {

/// An SDK: headers, library, CMake and pkg-config files of one version and profile, in a folder of its own.
struct sdk {
    std::string name;  ///< "0.1.0-web".
    std::filesystem::path folder;
    bool in_use = false;  ///< `current` of its store leads to it.
};

/// Whether a folder has what an SDK has.
bool is_sdk(const std::filesystem::path& folder);

/// Folders that SDKs lie side by side in: the one that this program is installed in, if it is, and the
/// user's own. Not all need exist.
std::vector<std::filesystem::path> stores();

/// Every SDK that is installed, by store and name.
std::vector<sdk> installed();

/// The SDK of this name, of the first store that has it.
std::optional<sdk> find_sdk(std::string_view name);

/// What `[sdk]` of apus.toml asks for.
struct pin {
    /// Empty: the one in use if it has the profile, or else the newest that has.
    std::string version{};
    std::string profile{};  ///< Empty: `full`, or an SDK that has no profile in its name.
    /// Of a profile of the project's own: an SDK of another name that has them will do.
    std::vector<std::string> components{};
};

/// The SDK that is pinned, if it is installed.
std::optional<sdk> pinned(const pin&);

/// As 0.10.1-web is newer than 0.9.0-web.
bool is_newer(std::string_view name, std::string_view than);

/// The one in use, of the first store that has any.
std::optional<sdk> in_use();

/// Makes an SDK the one in use of its store. What is using it goes on with what it has opened.
void use(const sdk& which);

}  // namespace apus::cli::installation
