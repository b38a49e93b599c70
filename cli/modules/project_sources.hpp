// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/modules/module.hpp"
#include "cli/modules/source_facts.hpp"

namespace apus::cli::modules {

/// Owner and visibility of a file.
struct place {
    enum class is {
        open,    ///< `include/NAME/` of a module: accessible to modules that list the module in `needs`.
        closed,  ///< `src/` of a module or of the application: accessible only to its owner.
        tests
    };
    std::string owner{};  ///< Name of a module; empty: the application.
    is area = is::closed;
};

/// A C++ source of the project.
struct project_source {
    std::filesystem::path file;  ///< Relative to the project.
    place at;
    source_facts facts;
};

/// Returns all C++ sources of the application's `src` and `tests`, then of the modules.
std::vector<project_source> read_sources(const std::filesystem::path& root, const std::vector<app_module>& all);

/// Returns the owner and visibility of a file, by its path.
/// Files in `modules/` never belong to the application.
place place_of(const std::filesystem::path& file);

/// Returns the files below a folder with one of these extensions, relative to `root` and sorted.
/// `endings` has the form "|.hpp|.cpp|".
std::vector<std::filesystem::path> files_below(const std::filesystem::path& root, const std::filesystem::path& folder,
                                               std::string_view endings);

constexpr std::string_view header_endings = "|.hpp|.h|.hh|.hxx|.ipp|";
constexpr std::string_view source_endings = "|.hpp|.h|.hh|.hxx|.ipp|.cpp|.cc|.cxx|";

}  // namespace apus::cli::modules
