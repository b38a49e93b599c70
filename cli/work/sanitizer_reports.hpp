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

/// Whether programs of this preset have a sanitizer.
bool has_sanitizer(std::string_view preset);

/// What the sanitizer of a program reports. It writes files, so that what is known of a report can stand above it;
/// these
/// are gone with this object.
class sanitizer_reports {
public:
    /// Paths in reports are shown below `project`.
    sanitizer_reports(const std::filesystem::path& build_folder, std::filesystem::path project);

    /// Adds to a program what tells its sanitizer where to write.
    void direct(system::invocation& start) const;

    /// What was reported since it was asked last, with what is known of it above. Of a program that goes on, only
    /// reports that have come to their end, as those of threads do; the others end the program.
    std::string news(bool has_ended);

private:
    system::folder_in_the_making folder_;
    std::filesystem::path project_;
    std::map<std::filesystem::path, std::size_t> told_{};  // bytes of each file
};

}  // namespace apus::cli::work
