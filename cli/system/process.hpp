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

/// A program with its arguments and working directory. The tool starts the program without a shell.
struct invocation {
    std::vector<std::string> words;                                  ///< The first is the program, searched in PATH.
    std::filesystem::path folder{};                                  ///< Empty: the tool's working directory.
    std::vector<std::pair<std::string, std::string>> environment{};  ///< Added to the tool's environment.
    std::string input{};                                             ///< Standard input of a program that `run` starts.
    /// Whether the kernel sends SIGKILL instead of SIGTERM to the program when the tool ends.
    bool kill_with_parent = false;
    std::uint64_t file_bytes = 0;  ///< RLIMIT_FSIZE, the maximum size of files that the program writes; 0: unlimited.
};

/// How a program ended: its exit status, or 128 plus the signal number.
struct outcome {
    int status = 0;
    std::string out{};    ///< Its standard output.
    std::string error{};  ///< Its standard error.
    bool ok() const noexcept { return status == 0; }
};

/// Returns an exit status as text: "status 1", or "SIGSEGV" if this signal ended the program.
std::string name_of_status(int status);

/// Returns true if a program with this status has crashed, such as by SIGSEGV or `std::abort`.
bool is_crash(int status) noexcept;

/// Returns true if PATH has a program with this name.
bool has_program(std::string_view name);

/// Returns the error E0107 for a missing program, with the package that contains it if known.
errors::failure no_program(const std::string& name);

/// Runs a program to its end and captures its output.
/// Throws E0107 if the program does not exist. If the tool receives a signal, sends SIGTERM to the program, waits for
/// its end and throws `errors::interruption`.
outcome run(const invocation& what);

/// Runs a program and calls `each_line` for each line of both output streams as it is written.
int run(const invocation& what, const std::function<void(std::string_view line)>& each_line);

/// Runs a program on the tool's own terminal, for interactive programs.
int run_in_terminal(const invocation& what);

/// Replaces this process with a program. Throws E0107 if the program does not exist.
[[noreturn]] void exec(const invocation& what);

/// Starts a program on the tool's terminal without waiting for it.
/// The program inherits the descriptors in `kept`, renumbered from 3 on, with LISTEN_PID set.
pid_t start(const invocation& what, const std::vector<int>& kept = {});

/// A running program.
struct started {
    pid_t pid;
    int output;  ///< Read end of its standard output. The owner closes it.
};

/// Starts a program like `start`, with its standard output connected to a pipe.
started start_with_output(const invocation& what, const std::vector<int>& kept = {});

/// Sends a signal to a child process, waits for it, and returns its status as in `outcome`.
int end(pid_t child, int signal);

}  // namespace apus::cli::system
