// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/diagnosis/place.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::cli::diagnosis {

/// Who says so.
enum class origin {
    compiler,  ///< `file:line: error:`
    contract,  ///< The sentence of a static_assert, or of what is thrown while compiling.
    linker,    ///< ld, lld and mold
    cmake,
    tool,  ///< `name: error:`, of ninja and of what compilers are started by
    sanitizer,
    line,  ///< one line of a program, a shell or a system that a rule knows
};

/// One error as a build or a program tells it, with all that belongs to it.
struct report {
    origin from;
    std::string message;             ///< In one line, with quotes as in ASCII.
    place at;                        ///< Where its author says it is; may be in a library.
    place users;                     ///< The first place in what users write, or nowhere.
    place includer{};                ///< The line of what users write that led to the header in `at`, or nowhere.
    std::vector<std::string> lines;  ///< As `message`: what came before that belongs to it, and what came after.
    std::vector<std::pair<std::string, std::string>> details;  ///< More to fill into an explanation, by name.
};

/// Takes text of compilers, linkers, CMake, ninja, sanitizers and programs apart, line by line. Bytes of
/// any kind may come. Keeps at most 32 reports of at most 400 lines, each cut after 2000 bytes.
class reader {
public:
    /// A line without its end.
    void line(std::string_view);

    /// What came until now. The reader is as new afterwards.
    std::vector<report> finish();

private:
    bool continues(std::string_view);
    bool begins(std::string_view);
    bool is_context(std::string_view);
    void open(report, std::string_view text);
    void attach(std::string_view);
    void find_includer();
    void close();

    std::vector<report> reports_;
    std::vector<std::string> context_;  // what g++ says before an error and ld before a name
    report current_{};
    std::string header_;  // that the last message was about, and what led there
    place includer_{};
    bool open_ = false;
    bool serious_ = false;  // the current one is an error
};

}  // namespace apus::cli::diagnosis
