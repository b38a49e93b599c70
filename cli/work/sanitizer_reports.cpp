// SPDX-License-Identifier: Apache-2.0
#include "cli/work/sanitizer_reports.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cli/diagnosis/explanation.hpp"
#include "cli/text/layout.hpp"

namespace apus::cli::work {

namespace fs = std::filesystem;

bool has_sanitizer(std::string_view preset) { return preset == "asan" || preset == "tsan"; }

sanitizer_reports::sanitizer_reports(const fs::path& build_folder, fs::path project)
    : folder_(build_folder / "reports"), project_(std::move(project)) {}

void sanitizer_reports::direct(system::invocation& start) const {
    const std::string to = ":log_path=\"" + (folder_.path() / "of").string() + "\"";
    for (const char* name : {"ASAN_OPTIONS", "TSAN_OPTIONS"}) {
        const auto set = std::ranges::find(start.environment, name, &std::pair<std::string, std::string>::first);
        const char* own = std::getenv(name);
        if (set != start.environment.end()) set->second += to;
        else start.environment.emplace_back(name, std::string(own ? own : "") + to);
    }
}

std::string sanitizer_reports::news(bool has_ended) {
    constexpr std::string_view end = "\n==================\n";
    std::string told;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
        std::size_t& before = told_[entry.path()];
        if (entry.file_size() == before) continue;
        std::string report = system::read_file(entry.path()).substr(before);
        if (!has_ended) {  // keeps an incomplete report for the next call: symbolizing takes time
            const std::size_t last = report.rfind("\nSUMMARY: "),
                              ends = last == report.npos ? last : report.find(end, last);
            if (ends == report.npos) continue;
            report.resize(ends + end.size());
        }
        before += report.size();
        report = text::with_short_paths(report, project_);
        for (const auto& known : diagnosis::explain(report)) told.append(diagnosis::text_of(known)).append("\n");
        told += report;
    }
    return told;
}

}  // namespace apus::cli::work
