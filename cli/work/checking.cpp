// SPDX-License-Identifier: Apache-2.0
#include "cli/work/checking.hpp"

#include <algorithm>

#include "cli/modules/check.hpp"
#include "cli/system/process.hpp"
#include "cli/text/choices.hpp"
#include "cli/text/counted.hpp"
#include "cli/work/asking.hpp"
#include "cli/work/build.hpp"
#include "cli/work/description_rules.hpp"
#include "cli/work/formatting.hpp"
#include "cli/work/presets.hpp"
#include "cli/work/project_rules.hpp"
#include "cli/work/sources.hpp"

namespace apus::cli::work {

namespace {

bool tell(const std::vector<std::string>& found, const std::string& what, terminal::shell& shell) {
    std::string text;
    for (const std::string& each : found) text += each + "\n";
    shell.print(text);
    shell.event(found.empty() ? "Checked" : "Objected",
                what + (found.empty() ? "" : ": " + text::counted(found.size(), "finding")));
    return found.empty();
}

/// The parts of a check, which share a project and its build.
class check_run {
public:
    check_run(const check_options& options, terminal::shell& shell)
        : options_(options), shell_(shell), project_(manifest::find()) {}

    bool part(std::string_view name) {
        if (name == "format") return format(true, shell_);
        if (name == "rules") return tell(broken_rules(project_), "the rules of the project", shell_);
        if (name == "modules") return modules();
        if (name == "lint") return lint();
        return openapi();
    }

private:
    // Once for the parts that need it; and no second time, if it fails, that its errors are shown.
    bool build_once() {
        if (!tried_) {
            tried_ = true;
            build(project_, {.preset = options_.preset}, shell_);
            built_ = true;
        }
        return built_;
    }

    bool modules() const {
        std::vector<std::string> found;
        for (const auto& each : modules::check(project_.folder))
            found.push_back(each.file + ":" + std::to_string(each.line) + ": " + each.text);
        return tell(found, "the borders of modules", shell_);
    }

    bool lint() {
        std::vector<std::string> words{first_program({"clang-tidy-19", "clang-tidy"}), "--quiet", "-p",
                                       build_folder(project_, options_.preset).string()};
        // The analyzer takes a handler that an app keeps for a leak, in headers of Apus; `--sanitize address` finds
        // real ones.
        if (!std::filesystem::exists(project_.folder / ".clang-tidy"))
            words.emplace_back(
                "--checks=-*,bugprone-*,-bugprone-easily-swappable-parameters,performance-*,clang-analyzer-*,"
                "-clang-analyzer-cplusplus.NewDeleteLeaks");
        words.emplace_back("--warnings-as-errors=*");
        std::size_t count = 0;
        for (const std::string& file : options_.all ? sources_of(project_) : changed_sources_of(project_))
            if (file.ends_with(".cpp")) words.push_back(file), ++count;
        if (!build_once()) return false;
        const system::outcome ended =
            count ? system::run({.words = words, .folder = project_.folder}) : system::outcome();
        if (!ended.ok()) shell_.pass_on(ended.out);
        shell_.event(ended.ok() ? "Checked" : "Objected", text::counted(count, "source") + " by clang-tidy");
        return ended.ok();
    }

    bool openapi() {
        if (!build_once()) return false;
        if (!has_program(project_, options_.preset)) return true;
        const auto routes = routes_of(project_, options_.preset);
        shell_.event("Checked", "that the app can be made, with routes: " + std::to_string(routes.size()));
        const std::string path = description_among(routes);
        if (path.empty()) return true;
        return tell(wrong_with_description(ask_for_description(project_, options_.preset, path)),
                    "the description of the app", shell_);
    }

    const check_options& options_;
    terminal::shell& shell_;
    manifest::manifest project_;
    bool tried_ = false, built_ = false;
};

}  // namespace

bool check(const check_options& options, terminal::shell& shell) {
    check_run run(options, shell);
    bool well = true;
    for (const std::string_view part : text::split(check_parts)) {
        if (!options.parts.empty() && std::ranges::find(options.parts, part) == options.parts.end()) continue;
        try {
            well &= run.part(part);
        } catch (const errors::failure& why) {
            shell.error(why);
            well = false;
        }
    }
    return well;
}

}  // namespace apus::cli::work
