// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace apus::cli::errors {

/// Exception that ends a command. `main` prints the error and exits with status 1.
/// `code` refers to an entry of the catalogue for `apus explain`.
class failure : public std::exception {
public:
    /// `hint` tells the user how to fix the problem, with commands in backticks.
    failure(std::string_view code, std::string message, std::string hint = {})
        : code_(code), message_(std::move(message)), hint_(std::move(hint)) {}

    std::string_view code() const noexcept { return code_; }
    const std::string& message() const noexcept { return message_; }
    const std::string& hint() const noexcept { return hint_; }
    const char* what() const noexcept override { return message_.c_str(); }

private:
    std::string_view code_;
    std::string message_;
    std::string hint_;
};

/// Invalid command line: printed as a failure, with exit status 2.
class usage : public failure {
public:
    using failure::failure;
};

/// Exception after SIGINT (Ctrl-C), SIGTERM or SIGHUP.
/// `main` prints one line and ends the process by the same signal.
class interruption : public std::exception {
public:
    explicit interruption(int signal) noexcept : signal_(signal) {}
    int signal() const noexcept { return signal_; }
    const char* what() const noexcept override { return "interrupted"; }

private:
    int signal_;
};

/// Returns the failure of a system call.
/// `what` names the operation and the file; `error` is errno.
failure system_failure(std::string_view what, int error);

}  // namespace apus::cli::errors
