// SPDX-License-Identifier: Apache-2.0
#include "cli/work/single_file.hpp"

#include <algorithm>
#include <chrono>

#include "cli/diagnosis/explanation.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"
#include "cli/text/fingerprint.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::work {

namespace {

namespace fs = std::filesystem;

// Returns one line per input file of the program: modification time, size and name.
std::string state_of(const std::vector<std::string>& files) {
    std::string state;
    for (const std::string& file : files) {
        std::error_code none;
        state += std::to_string(fs::last_write_time(file, none).time_since_epoch().count()) + " " +
                 std::to_string(fs::file_size(file, none)) + " " + file + "\n";
    }
    return state;
}

// Returns the prerequisites in a compiler's depfile. In a depfile, a backslash escapes blanks and `#` and continues a
// line, and `$` is doubled.
std::vector<std::string> files_of_depfile(const std::string& text) {
    std::vector<std::string> files;
    std::string word;
    for (std::size_t i = std::min(text.find(": "), text.size()); i < text.size(); ++i) {
        const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\n';
        const bool escapes = (c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$');
        if (escapes) word += text[++i];
        else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
            if (!word.empty()) files.push_back(std::exchange(word, {}));
        } else if (c != ':' || !word.empty() || !files.empty()) word += c;
    }
    return files;
}

bool is_up_to_date(const fs::path& entry) {
    std::error_code none;
    if (!fs::exists(entry / "program", none) || !fs::exists(entry / "inputs", none)) return false;
    const std::string inputs = system::read_file(entry / "inputs");
    std::vector<std::string> files;
    for (const std::string_view line : text::split(inputs, '\n'))
        if (!line.empty()) files.emplace_back(line.substr(line.find(' ', line.find(' ') + 1) + 1));
    return state_of(files) == inputs;
}

std::vector<std::string> flags_of(const source_notes& notes, const fs::path& sdk) {
    system::invocation ask{.words = {"pkg-config", "--cflags", "--libs", "apus"}};
    ask.words.insert(ask.words.end(), notes.dependencies.begin(), notes.dependencies.end());
    if (!sdk.empty()) ask.environment.emplace_back("PKG_CONFIG_PATH", (sdk / "lib/pkgconfig").string());
    const system::outcome answer = system::run(ask);
    if (!answer.ok()) {
        const std::string_view why = std::string_view(answer.error).substr(0, answer.error.find('\n'));
        throw errors::failure("E0304", "pkg-config cannot find a dependency: " + std::string(why),
                              "install its development package, or remove it from `// apus: dependencies`");
    }
    std::vector<std::string> flags;
    for (const std::string_view flag :
         text::split(text::trimmed(std::string_view(answer.out).substr(0, answer.out.find('\n'))), ' ')) {
        if (flag.empty()) continue;
        // Makes the SDK's headers system headers. -MMD omits system headers from the depfile, so that they are not
        // checked on each run.
        if (flag.starts_with("-I")) flags.insert(flags.end(), {"-isystem", std::string(flag.substr(2))});
        else flags.emplace_back(flag);
    }
    return flags;
}

void compile(const fs::path& source, std::vector<std::string> words, const fs::path& entry, terminal::shell& shell) {
    shell.event("Compiling", source.filename().string());
    system::staged_folder made(entry);
    words.insert(words.end(),
                 {"-MMD", "-MF", (made.path() / "depfile").string(), "-o", (made.path() / "program").string()});
    const system::outcome ended = system::run({.words = words});
    if (!ended.ok())
        for (const auto& known : diagnosis::explain(ended.error)) shell.copy_error(diagnosis::text_of(known) + "\n");
    shell.copy_error(ended.error);
    if (!ended.ok())
        throw errors::failure("E0302", "`" + source.string() + "` does not compile", "the first error is above");
    system::write_file(made.path() / "inputs", state_of(files_of_depfile(system::read_file(made.path() / "depfile"))));
    made.commit();
}

}  // namespace

fs::path program_of_source(const fs::path& source, bool release, terminal::shell& shell) {
    const std::string content = system::read_file(source);
    const source_notes notes = read_notes(content);
    const fs::path sdk = sdk_folder({});
    std::vector<std::string> words{"clang++-19", "-std=c++23", release ? "-O2" : "-O0", "-g1",
                                   "-Wall",      "-Wextra",    "-Werror=unused-result", fs::absolute(source).string()};
    words.insert(words.end(), notes.flags.begin(), notes.flags.end());
    std::string key = content + "\n" + sdk.string();
    for (const std::string& word : words) key += "\n" + word;
    const fs::path entry = system::cache_folder() / "run" / text::fingerprint().add(key).digits();
    if (!is_up_to_date(entry)) {
        if (!system::has_program(words.front())) throw system::no_program(words.front());
        std::ranges::move(flags_of(notes, sdk), std::back_inserter(words));
        if (system::has_program("mold")) words.emplace_back("-fuse-ld=mold");
        compile(source, words, entry, shell);
    }
    return entry / "program";
}

}  // namespace apus::cli::work
