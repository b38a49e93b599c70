// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace apus::cli::errors {

/// Why a command ends: thrown where it is found, printed by `main`, which ends with 1. `code` names
/// an entry of the catalogue, so that `apus explain` can say more.
class failure : public std::exception {
public:
    /// `hint` is what to do about it: a sentence, with the command in backticks where there is one.
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

/// What the command line says that no command understands: printed as a failure, but ends with 2.
class usage : public failure {
public:
    using failure::failure;
};

/// Ctrl-C, or SIGTERM: nothing is printed but one line, and the process ends by that signal.
class interruption : public std::exception {
public:
    explicit interruption(int signal) noexcept : signal_(signal) {}
    int signal() const noexcept { return signal_; }
    const char* what() const noexcept override { return "interrupted"; }

private:
    int signal_;
};

/// A failure for what the operating system refused: `what` names the act and the file, and `error` is errno.
failure system_failure(std::string_view what, int error);

}  // namespace apus::cli::errors
