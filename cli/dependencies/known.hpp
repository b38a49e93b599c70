// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::dependencies {

/// What `libraries/system.toml` knows of a library that distributions have.
struct known {
    std::string name;
    std::string debian{};              ///< The package with its headers.
    std::string pkg_config{};          ///< Its module.
    std::string cmake{};               ///< What find_package() is given; empty: it is found by pkg-config.
    std::string target{};              ///< What that defines.
    std::string license{};             ///< An SPDX expression.
    std::string conan{};               ///< Its name there; empty: the same.
    std::vector<std::string> other{};  ///< Names by which people look for it.
};

class known_libraries {
public:
    /// Reads the table of the installation.
    known_libraries();

    /// A library by its name or by one of its other names, or null.
    const known* find(std::string_view name) const;

    /// The library that is meant by another spelling of a name of it, such as nlohmann-json, pq or libfmt, or null.
    /// `find` does not know those.
    const known* by_other_spelling(std::string_view name) const;

    /// "did you mean `x`?", or nothing.
    std::string did_you_mean(std::string_view name) const;

    /// Libraries whose names begin as this one does, for one that no source has: "the distribution has `sqlite3`,
    /// `sqlitecpp`", or nothing.
    std::string related(std::string_view name) const;

private:
    std::vector<known> all_;
};

}  // namespace apus::cli::dependencies
