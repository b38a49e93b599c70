// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "cli/system/files.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::work {

/// Returns true if programs of this preset have a sanitizer.
bool has_sanitizer(std::string_view preset);

/// Collects a program's sanitizer reports in temporary files.
/// Explanations can then be printed before the reports.
class sanitizer_reports {
public:
    /// Reports show paths relative to `project`.
    sanitizer_reports(const std::filesystem::path& build_folder, std::filesystem::path project);

    /// Sets the sanitizer's output file in the program's environment.
    void direct(system::invocation& start) const;

    /// Returns the reports since the last call, with explanations.
    /// While the program runs, returns only complete reports.
    std::string news(bool has_ended);

private:
    system::staged_folder folder_;
    std::filesystem::path project_;
    std::map<std::filesystem::path, std::size_t> told_{};  // number of returned bytes of each file
};

}  // namespace apus::cli::work
