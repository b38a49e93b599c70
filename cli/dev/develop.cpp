// SPDX-License-Identifier: Apache-2.0
#include "cli/dev/develop.hpp"

#include <chrono>
#include <list>
#include <memory>

#include "cli/database/switching.hpp"
#include "cli/dev/proxy.hpp"
#include "cli/dev/reload_guard.hpp"
#include "cli/dev/running_program.hpp"
#include "cli/dev/watched_project.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
#include "cli/work/build.hpp"
#include "cli/work/compiler_programs.hpp"
#include "cli/work/presets.hpp"
#include "cli/work/sanitizer_reports.hpp"
#include "cli/work/tests.hpp"

namespace apus::cli::dev {

namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

std::string time_since(clock::time_point begin) {
    return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - begin).count()) + " ms";
}

std::vector<std::pair<std::string, std::string>> environment_of(const manifest::manifest& project) {
    auto made = database::program_environment(project);
    made.emplace_back("APUS_DEV", "1");
    return made;
}

std::vector<std::string> command_line(const manifest::manifest& project, const fs::path& program,
                                      std::vector<std::string> first) {
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), project.dev.arguments.begin(), project.dev.arguments.end());
    words.insert(words.end(), first.begin(), first.end());
    return words;
}

/// Builds and runs the project. Owns the process of the last build, and retired processes.
class service {
public:
    service(watched_project& project, std::string preset, proxy& front, terminal::shell& shell)
        : project_(project), preset_(std::move(preset)), proxy_(front), shell_(shell) {}

    void begin() { rebuild({}); }

    // Builds after a change. Prints errors of the project instead of throwing, since the user corrects them while the
    // command runs.
    void rebuild_or_report(const changes& what) {
        try {
            const manifest::dev_table before = project_.now().dev;
            project_.update(what);
            const manifest::dev_table& now = project_.now().dev;
            if (before.host != now.host || before.port != now.port)
                shell_.event("Kept", proxy_.url() +
                                         "; restart `apus dev` to apply the new `dev.host` and `dev.port` of "
                                         "apus.toml");
            rebuild(what);
        } catch (const errors::failure& why) {
            shell_.error(why);
            proxy_.show_failure(why.message() + "\n" + why.hint() + "\n");
        }
    }

private:
    void rebuild(const changes& what) {
        const auto begin = clock::now();
        const manifest::manifest& project = project_.now();
        const std::vector<std::string> only = what.same_files && knows_files_
                                                  ? std::vector<std::string>(what.paths.begin(), what.paths.end())
                                                  : std::vector<std::string>();
        const work::build_result built = work::try_build(
            project, {.preset = preset_, .targets = {project.project.name}, .only_changed = only}, shell_);
        if (built.ran_cmake) knows_files_ = built.ok;
        std::erase_if(running_, [this](const running_program& one) { return &one != newest_ && one.has_ended(); });
        if (!built.ok) {
            shell_.event("Failed", newest_ ? "to build; the previous build keeps serving"
                                           : "to build; waiting for the next change");
            return proxy_.show_failure(built.explained + built.said);
        }
        const fs::path program = work::program_of(project, preset_);
        // A retired program drains for two seconds and then aborts open streams, whose clients reconnect.
        std::vector<std::string> words =
            command_line(project, program, {"--host", "127.0.0.1", "--port", "0", "--drain", "2"});
        const auto made = fs::last_write_time(program);
        if (newest_ && !newest_->has_ended() && made == made_ && words == words_) return reload_pages(what, begin);
        made_ = made;
        words_ = std::move(words);
        replace(begin);
    }

    std::unique_ptr<work::sanitizer_reports> reports() const {
        if (!work::has_sanitizer(preset_)) return nullptr;
        return std::make_unique<work::sanitizer_reports>(work::build_folder(project_.now(), preset_),
                                                         project_.now().folder);
    }

    void reload_pages(const changes& what, clock::time_point begin) {
        const auto verdict = guard_.changed(what.paths, proxy_.last_request(), begin);
        for (const std::string& path : verdict.written) {
            shell_.event("Ignored",
                         path + ": written by the program on each request; exclude it by `dev.ignore` of apus.toml");
            project_.ignore(path);
        }
        if (!verdict.reloads) return;
        proxy_.reload();
        shell_.event("Reloaded", "pages, after " + time_since(begin));
    }

    void replace(clock::time_point begin) {
        system::invocation start{.words = words_,
                                 .folder = project_.now().folder,
                                 .environment = environment_of(project_.now()),
                                 .kill_with_parent = true};
        work::name_symbolizer(start, work::build_folder(project_.now(), preset_), shell_);
        running_program& next = running_.emplace_back(
            std::move(start), shell_, reports(), [this](const std::string& report) { proxy_.show_failure(report); });
        const std::uint16_t port = next.wait_for_port();
        if (port == 0) {
            const std::string why = "the program exited before it listened, " + next.end(), reported = next.reported();
            running_.pop_back();
            shell_.event("Failed", why);
            return proxy_.show_failure(why +
                                       (reported.empty() ? "; the terminal shows its output" : "\n\n" + reported));
        }
        proxy_.forward_to(port);
        if (newest_) newest_->retire();
        newest_ = &next;
        guard_ = {};
        project_.clear_ignored();
        shell_.event("Serving", proxy_.url() + " after " + time_since(begin));
    }

    watched_project& project_;
    std::string preset_;
    proxy& proxy_;
    terminal::shell& shell_;
    reload_guard guard_{};
    std::list<running_program> running_{};
    running_program* newest_ = nullptr;
    bool knows_files_ = false;          // CMake has run with the current set of files
    fs::file_time_type made_{};         // modification time of the program file
    std::vector<std::string> words_{};  // command line of the program
};

void debug(const manifest::manifest& project, const dev_options& options, const std::string& host, std::uint16_t port,
           terminal::shell& shell) {
    work::build(project, {.preset = options.preset, .targets = {project.project.name}}, shell);
    std::vector<std::string> words{"gdb", "--args"};
    for (std::string& word : command_line(project, work::program_of(project, options.preset),
                                          {"--host", host, "--port", std::to_string(port)}))
        words.push_back(std::move(word));
    system::exec({.words = words, .folder = project.folder, .environment = environment_of(project)});
}

// Runs until Ctrl-C, which ends the command without an error.
template <class Begin, class Each>
void after_each_change(watched_project& project, terminal::shell& shell, Begin&& begin, Each&& each) {
    try {
        begin();
        for (;;) each(project.wait(shell));
    } catch (const errors::interruption&) {
        shell.event("Stopped", project.now().project.name);
    }
}

}  // namespace

void develop(const dev_options& options, terminal::shell& shell) {
    manifest::manifest found = manifest::find();
    const std::string host = options.host.value_or(found.dev.host);
    const auto port = options.port.value_or(static_cast<std::uint16_t>(found.dev.port));
    if (options.debugger) return debug(found, options, host, port, shell);
    proxy front(host, port, found.dev.hosts, shell);
    shell.event("Listening", front.url());
    watched_project project(std::move(found), watch_purpose::serving);
    service served(project, options.preset, front, shell);
    after_each_change(
        project, shell, [&] { served.begin(); }, [&](const changes& what) { served.rebuild_or_report(what); });
}

void test_on_change(const std::string& preset, const std::string& filter, terminal::shell& shell) {
    watched_project project(manifest::find(), watch_purpose::testing);
    const auto test = [&](const changes& what) {
        try {
            project.update(what);
            work::test(project.now(), {.preset = preset, .filter = filter}, shell);
        } catch (const errors::failure& why) {
            shell.error(why);
        }
    };
    shell.event("Watching", project.now().project.name + "; press Ctrl-C to stop");
    after_each_change(project, shell, [&] { test({}); }, test);
}

}  // namespace apus::cli::dev
