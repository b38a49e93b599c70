// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "cli/commands/arguments.hpp"
#include "cli/commands/help.hpp"
#include "cli/commands/table.hpp"
#include "cli/system/signals.hpp"

namespace {

using namespace apus::cli;

// Global options, accepted before or after the command's name.
struct globals {
    terminal::colors colors = terminal::colors::automatic;
    terminal::verbosity verbosity = terminal::verbosity::normal;
    std::string_view folder{};
    bool help = false;
    bool version = false;
};

// Removes the global options from the arguments. Arguments after `--` are kept.
globals parse_globals(std::vector<char*>& words) {
    globals found;
    std::vector<char*> left;
    auto value_of = [&](std::size_t& i, std::string_view name) -> std::string_view {
        const std::string_view word = words[i];
        if (const auto equals = word.find('='); word.starts_with("--") && equals != word.npos)
            return word.substr(equals + 1);
        if (i + 1 == words.size()) throw errors::usage("E0102", "`" + std::string(name) + "` requires a value");
        return words[++i];
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i], name = word.substr(0, word.find('='));
        if (word == "--") {
            left.insert(left.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
            break;
        }
        if (word == "-h" || word == "--help") found.help = true;
        else if (word == "-V" || word == "--version") found.version = true;
        else if (word == "-q" || word == "--quiet") found.verbosity = terminal::verbosity::quiet;
        else if (word == "-v" || word == "--verbose") found.verbosity = terminal::verbosity::verbose;
        else if (word == "-C" || name == "--directory") found.folder = value_of(i, name);
        else if (name == "--color") {
            const std::string_view wish = value_of(i, name);
            if (wish == "always") found.colors = terminal::colors::always;
            else if (wish == "never") found.colors = terminal::colors::never;
            else if (wish != "auto")
                throw errors::usage("E0102",
                                    "`--color` is `" + std::string(wish) + "`; allowed: `auto`, `always` or `never`");
        } else left.push_back(words[i]);
    }
    words.swap(left);
    return found;
}

// Opens closed standard streams as /dev/null. Otherwise the next opened file would get the descriptor of a standard
// stream, and output would be written to that file.
void open_standard_streams() {
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(fd, F_GETFD) < 0)
            // Uses the wrong mode, so that reading or writing still fails.
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// Removes the variables that git sets for hooks. Otherwise git commands that the tool starts would use the hook's
// repository in every folder.
void forget_git_environment() {
    for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
                             "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_PREFIX"})
        unsetenv(name);
}

errors::failure explained(const std::filesystem::filesystem_error& why) {
    const std::string path = why.path1().string();
    return errors::system_failure(path.empty() ? "cannot determine the current folder" : "cannot use `" + path + "`",
                                  why.code().value());
}

int run(std::vector<char*> words, terminal::shell& shell) {
    const globals asked = parse_globals(words);
    shell = terminal::shell(asked.colors, asked.verbosity);
    if (!asked.folder.empty() && chdir(std::string(asked.folder).c_str()) != 0)
        throw errors::system_failure("cannot change to the folder `" + std::string(asked.folder) + "`", errno);
    if (asked.version) return shell.print(commands::version_text()), 0;
    if (words.empty()) return shell.print(commands::help_of_all()), 0;
    if (asked.help) {
        if (const std::string group = commands::help_of_group(words[0]);
            words.size() == 1 && !commands::find_command(std::string_view(words[0])) && !group.empty())
            return shell.print(group), 0;
    }
    const auto [found, taken] = commands::find_command(words);
    if (asked.help) return shell.print(commands::help_of(*found)), 0;
    commands::context context{shell};
    return found->run(commands::arguments(*found, std::span(words).subspan(taken)), context);
}

}  // namespace

int main(int argc, char** argv) {
    open_standard_streams();
    forget_git_environment();
    system::handle_signals();
    terminal::shell shell;
    try {
        return run({argv + 1, argv + argc}, shell);
    } catch (const errors::usage& why) {
        shell.error(why);
        return 2;
    } catch (const errors::failure& why) {
        shell.error(why);
        return 1;
    } catch (const errors::interruption& by) {
        shell.warning("interrupted; no file is incomplete");
        system::end_by(by.signal());
    } catch (const std::filesystem::filesystem_error& why) {
        shell.error(explained(why));
        return 1;
    } catch (const std::bad_alloc&) {
        shell.error(errors::failure("E0106", "out of memory"));
        return 1;
    } catch (const std::exception& why) {
        shell.error(errors::failure("E0106", why.what()));
        return 1;
    }
}
