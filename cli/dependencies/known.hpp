// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::dependencies {

/// Entry of `libraries/system.toml`: a library of the distribution.
struct known {
    std::string name;
    std::string debian{};              ///< Development package with the headers.
    std::string pkg_config{};          ///< pkg-config module.
    std::string cmake{};               ///< Name for find_package(); empty: pkg-config finds the library.
    std::string target{};              ///< Target defined by find_package().
    std::string license{};             ///< An SPDX expression.
    std::string conan{};               ///< Name of the Conan package; empty: the same name.
    std::vector<std::string> other{};  ///< Other names that users search for.
};

class known_libraries {
public:
    /// Reads the table in the installation's shared folder.
    known_libraries();

    /// Returns the library with this name in Apus, Debian, pkg-config, CMake or Conan, or null.
    const known* find(std::string_view name) const;

    /// Returns the library with an alternative spelling, such as nlohmann-json, pq or libfmt, or null.
    /// `find` does not match such spellings.
    const known* find_similar(std::string_view name) const;

    /// Returns "did you mean `x`?", or an empty string.
    std::string did_you_mean(std::string_view name) const;

    /// Returns a hint for an unknown name: the libraries whose names have the same beginning.
    /// For example "the distribution has `sqlite3`, `sqlitecpp`"; empty without such libraries.
    std::string related(std::string_view name) const;

private:
    std::vector<known> all_;
};

}  // namespace apus::cli::dependencies
