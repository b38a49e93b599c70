// SPDX-License-Identifier: Apache-2.0
#include "cli/work/sanitizer_reports.hpp"

#include <cstdlib>
#include <utility>

#include "cli/diagnosis/explanation.hpp"
#include "cli/text/short_paths.hpp"

namespace apus::cli::work {

namespace fs = std::filesystem;

bool has_sanitizer(std::string_view preset) { return preset == "asan" || preset == "tsan"; }

sanitizer_reports::sanitizer_reports(const fs::path& build_folder, fs::path project) : folder_(build_folder / "reports"), project_(std::move(project)) {}

void sanitizer_reports::direct(system::invocation& start) const {
    for (const char* name : {"ASAN_OPTIONS", "TSAN_OPTIONS"}) {
        const char* own = std::getenv(name);
        start.environment.emplace_back(name, std::string(own ? own : "") + ":log_path=\"" + (folder_.path() / "of").string() + "\"");
    }
}

std::string sanitizer_reports::news(bool has_ended) {
    std::string told;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
        progress& of = files_[entry.path()];
        const std::size_t size = entry.file_size();
        const bool has_grown = std::exchange(of.seen, size) != size;
        if (size == of.told || (has_grown && !has_ended)) continue;
        const std::string report = text::with_short_paths(system::read_file(entry.path()).substr(of.told), project_);
        of.told = size;
        for (const auto& known : diagnosis::explain(report)) told.append(diagnosis::text_of(known)).append("\n");
        told += report;
    }
    return told;
}

}  // namespace apus::cli::work
