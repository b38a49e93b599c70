// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apus::cli::dependencies {

/// What `libraries/system.toml` knows of a library that distributions have.
struct known {
    std::string name;
    std::string debian{};      ///< The package with its headers.
    std::string pkg_config{};  ///< Its module.
    std::string cmake{};       ///< What find_package() is given; empty: it is found by pkg-config.
    std::string target{};      ///< What that defines.
    std::string license{};     ///< An SPDX expression.
    std::string conan{};       ///< Its name there; empty: the same.
};

class known_libraries {
public:
    /// Reads the table of the installation.
    known_libraries();

    /// A library by its name or by one of its other names, or null.
    const known* find(std::string_view name) const;

    /// "did you mean `x`?", or nothing.
    std::string did_you_mean(std::string_view name) const;

private:
    std::vector<known> all_;
};

}  // namespace apus::cli::dependencies
