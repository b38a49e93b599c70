// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "cli/errors/failure.hpp"

namespace apus::cli::system {

/// A program with its arguments, and where it runs. There is no shell in between.
struct invocation {
    std::vector<std::string> words;                                  ///< The first is the program, found by PATH.
    std::filesystem::path folder{};                                  ///< Empty: where the tool runs.
    std::vector<std::pair<std::string, std::string>> environment{};  ///< Added to the tool's own.
    std::string input{};                                             ///< What it reads; with none it has /dev/null.
    bool dies_with_tool = false;   ///< Killed if the tool is, by whatever; else it gets SIGTERM then.
    std::uint64_t file_bytes = 0;  ///< That a file which it writes can have: more ends it by SIGXFSZ. 0: any number.
};

/// How a program ended: its exit status, or 128 and the signal's number.
struct outcome {
    int status = 0;
    std::string out{};    ///< What it wrote to standard output.
    std::string error{};  ///< To standard error.
    bool ok() const noexcept { return status == 0; }
};

/// How a program ended, by its status, for a sentence: "status 1", or "SIGSEGV" where a signal ended it.
std::string name_of_status(int status);

/// Whether a status is that of a program that has crashed, as by SIGSEGV or `std::abort`.
bool is_crash(int status) noexcept;

/// Whether PATH has a program of this name.
bool has_program(std::string_view name);

/// E0107: it has not; with the package that has the program, if that is known.
errors::failure no_program(const std::string& name);

/// Runs a program and waits, with all that it writes. Throws E0107 if there is none of that name;
/// `errors::interruption` if a signal came, after the program was told to end and has ended.
outcome run(const invocation& what);

/// The same, and gives `each_line` what it writes to either stream as it comes, line by line.
int run(const invocation& what, const std::function<void(std::string_view line)>& each_line);

/// The same with the tool's own terminal: what it writes is seen, and it can read.
int run_in_terminal(const invocation& what);

/// Becomes that program. Returns never; throws E0107.
[[noreturn]] void become(const invocation& what);

/// Starts a program in the tool's terminal and does not wait. `kept` are descriptors that it inherits
/// under the numbers from 3 on.
pid_t start(const invocation& what, const std::vector<int>& kept = {});

/// A program that runs.
struct started {
    pid_t pid;
    int output;  ///< What it writes to standard output can be read from here. To be closed by who has it.
};

/// As `start`, but that its standard output is read by the tool.
started start_with_output(const invocation& what, const std::vector<int>& kept = {});

/// Sends a signal to a program that was started, waits, and gives its status as `outcome` has it.
int end(pid_t child, int signal);

}  // namespace apus::cli::system
