// SPDX-License-Identifier: Apache-2.0
#include "cli/work/lifetimes.hpp"

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/work/sources.hpp"

namespace apus::cli::work {

namespace {

constexpr std::string_view code = "E0316";

bool is_allowed(const std::string& text, int line) {
    std::size_t from = 0;
    for (; line > 1 && from != text.npos; --line) from = text.find('\n', from) + 1;
    return std::string_view(text).substr(from, text.find('\n', from) - from).contains("NOLINT");
}

}  // namespace

std::vector<lifetimes::finding> lifetimes_in(const std::filesystem::path& folder, const std::string& source,
                                             const std::vector<std::string>& compilation) {
    const std::string below = std::filesystem::absolute(folder).lexically_normal().string();
    std::vector<std::string> words{llvm_program("clang-query"), "--extra-arg=-Wno-everything"};
    for (const std::string& each : lifetimes::query_of(below)) words.insert(words.end(), {"-c", each});
    words.push_back(source);
    words.insert(words.end(), compilation.begin(), compilation.end());
    const system::outcome ended = system::run({.words = words, .folder = folder});
    if (!ended.ok() || ended.error.contains(": error: "))
        throw errors::failure("E0302", "cannot compile `" + source + "` to check lifetimes: " + ended.error);
    std::vector<lifetimes::finding> found;
    for (lifetimes::finding& each : lifetimes::findings_in(ended.out)) {
        if (each.file.starts_with(below + "/")) each.file.erase(0, below.size() + 1);
        const std::filesystem::path file = folder / each.file;
        if (std::filesystem::exists(file) && is_allowed(system::read_file(file), each.line)) continue;
        found.push_back(std::move(each));
    }
    return found;
}

std::string text_of(const lifetimes::finding& each) {
    return each.file + ":" + std::to_string(each.line) + ": " + each.what + " [" + std::string(code) +
           "]\n    fix: " + each.fix;
}

}  // namespace apus::cli::work
