// SPDX-License-Identifier: Apache-2.0
#include "cli/work/check.hpp"

#include <algorithm>
#include <set>

#include "cli/modules/check.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"
#include "cli/work/routes.hpp"
#include "cli/work/build.hpp"
#include "cli/work/description_rules.hpp"
#include "cli/work/format.hpp"
#include "cli/work/lifetimes.hpp"
#include "cli/work/presets.hpp"
#include "cli/work/project_rules.hpp"
#include "cli/work/sources.hpp"
#include "cli/work/statements.hpp"

namespace apus::cli::work {

namespace {

bool tell(const std::vector<std::string>& found, const std::string& what, terminal::shell& shell) {
    std::string text;
    for (const std::string& each : found) text += each + "\n";
    shell.print(text);
    shell.event(found.empty() ? "Checked" : "Rejected",
                what + (found.empty() ? "" : ": " + text::counted(found.size(), "finding")));
    return found.empty();
}

/// Runs the parts of a check, which share one build of the project.
class check_run {
public:
    check_run(const check_options& options, terminal::shell& shell)
        : options_(options), shell_(shell), project_(manifest::find()) {}

    bool part(std::string_view name) {
        if (name == "format") return format(true, shell_);
        if (name == "rules") return tell(broken_rules(project_), "the rules of the project", shell_);
        if (name == "modules") return modules();
        if (name == "lint") return lint();
        if (name == "lifetimes") return lifetimes();
        if (name == "openapi") return openapi();
        return sql();
    }

private:
    // Builds the project when a part first needs a build. Does not repeat a failed build, whose errors have been
    // printed.
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
        return tell(found, "the boundaries of modules", shell_);
    }

    bool lint() {
        std::vector<std::string> words{llvm_program("clang-tidy"), "--quiet", "-p",
                                       build_folder(project_, options_.preset).string()};
        // Without NewDeleteLeaks: clang-analyzer falsely reports a leak in headers of Apus for each handler that an app
        // stores. `--sanitize address` detects real leaks.
        if (!std::filesystem::exists(project_.folder / ".clang-tidy"))
            words.emplace_back(
                "--checks=-*,bugprone-*,-bugprone-easily-swappable-parameters,performance-*,clang-analyzer-*,"
                "-clang-analyzer-cplusplus.NewDeleteLeaks,misc-coroutine-hostile-raii");
        words.emplace_back("--warnings-as-errors=*");
        const std::vector<std::string> sources = sources_to_read();
        words.insert(words.end(), sources.begin(), sources.end());
        if (!build_once()) return false;
        const system::outcome ended =
            sources.empty() ? system::outcome() : system::run({.words = words, .folder = project_.folder});
        if (!ended.ok()) shell_.copy_error(ended.out);
        shell_.event(ended.ok() ? "Checked" : "Rejected", text::counted(sources.size(), "source") + " with clang-tidy");
        return ended.ok();
    }

    bool lifetimes() {
        const std::vector<std::string> sources = sources_to_read(), own = sources_of(project_);
        if (!build_once()) return false;
        std::set<std::string> found;
        const std::vector<std::string> compilation{"-p", build_folder(project_, options_.preset).string()};
        for (const std::string& source : sources)
            for (const auto& each : lifetimes_in(project_.folder, source, compilation))
                if (std::ranges::find(own, each.file) != own.end()) found.insert(text_of(each));
        return tell({found.begin(), found.end()}, "lifetimes in " + text::counted(sources.size(), "source"), shell_);
    }

    // Returns the sources to check. Headers are checked with the sources that include them.
    std::vector<std::string> sources_to_read() const {
        std::vector<std::string> sources = options_.all ? sources_of(project_) : changed_sources_of(project_);
        std::erase_if(sources, [](const std::string& file) { return !file.ends_with(".cpp"); });
        return sources;
    }

    bool openapi() {
        if (!build_once()) return false;
        if (!has_program(project_, options_.preset)) return true;
        const auto routes = routes_of(project_, options_.preset);
        shell_.event("Checked", "the app; number of routes: " + std::to_string(routes.size()));
        const std::string path = find_description(routes);
        if (path.empty()) return true;
        return tell(wrong_with_description(request_description(project_, options_.preset, path)), "the API description",
                    shell_);
    }

    bool sql() {
        if (!build_once()) return false;
        if (!has_program(project_, options_.preset)) return true;
        return check_statements_if_any(project_, options_.preset, shell_);
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
