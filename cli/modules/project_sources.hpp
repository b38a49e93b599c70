// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/modules/module.hpp"
#include "cli/modules/source_facts.hpp"

namespace apus::cli::modules {

/// Whose a file is, and for whom.
struct place {
    enum class is {
        open,    ///< `include/NAME/` of a module: for whoever declares it.
        closed,  ///< `src/`: of the module, or of the application.
        tests
    };
    std::string owner{};  ///< A module's name; empty: the application.
    is area = is::closed;
};

/// A C++ source of the project.
struct project_source {
    std::filesystem::path file;  ///< Relative to the project.
    place at;
    source_facts facts;
};

/// Every C++ source of the modules and of the application's `src` and `tests`, by owner and name.
std::vector<project_source> read_sources(const std::filesystem::path& root, const std::vector<app_module>& all);

/// Whose a file of the project is by its name; nothing of `modules/` is the application's.
place place_of(const std::filesystem::path& file);

/// The files below a folder with one of these endings ("|.hpp|.cpp|"), relative to `root` and in order.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& root, const std::filesystem::path& folder,
                                               std::string_view endings);

constexpr std::string_view header_endings = "|.hpp|.h|.hh|.hxx|.ipp|";
constexpr std::string_view source_endings = "|.hpp|.h|.hh|.hxx|.ipp|.cpp|.cc|.cxx|";

}  // namespace apus::cli::modules
