// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/engine.hpp"

#include "cli/errors/failure.hpp"

namespace apus::cli::packaging {

namespace {

// Returns the last 400 bytes of a text, from a line start on, joined into one line.
std::string last_words(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (text.size() > 400) text.erase(0, text.find('\n', text.size() - 400));
    for (std::size_t at; (at = text.find('\n')) != text.npos;) text.replace(at, 1, at ? "; " : "");
    return text;
}

}  // namespace

std::string run_engine(system::invocation what) {
    what.environment.emplace_back("LC_ALL", "C");
    // Clears variables with default options of gzip, tar and xz, which would change the output.
    for (const char* name : {"GZIP", "TAR_OPTIONS", "XZ_DEFAULTS", "XZ_OPT"}) what.environment.emplace_back(name, "");
    system::outcome ended = system::run(what);
    if (ended.ok()) return std::move(ended.out);
    const std::string said = last_words(ended.error.empty() ? ended.out : ended.error);
    if (said.contains("No space left on device"))
        throw errors::failure("E0104", "`" + what.words[0] + "` failed: no space left on device: " + said,
                              "free space on the disk; `apus doctor` shows the available space");
    throw errors::failure("E0704", "`" + what.words[0] + "` failed with status " + std::to_string(ended.status) +
                                       (said.empty() ? "" : ": " + said));
}

std::string sha256_of(const std::filesystem::path& file) {
    return run_engine({.words = {"sha256sum", "--zero", "-b", "--", file.string()}}).substr(0, 64);
}

}  // namespace apus::cli::packaging
