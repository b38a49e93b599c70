// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands/command.hpp"

namespace apus::cli::commands {

/// Arguments of a command, parsed by its declared options. Views into argv.
class arguments {
public:
    /// Throws `errors::usage` (E0102) for arguments that the command `of` does not accept.
    arguments(const command& of, std::span<char* const> words);

    bool has(std::string_view option) const;
    /// Returns the last value of an option.
    std::optional<std::string_view> value(std::string_view option) const;
    std::vector<std::string_view> values(std::string_view option) const;
    /// Returns the last value of an option as an integer, or `otherwise` if the option is absent.
    /// Throws E0102 if the value is not from `least` to `most`.
    long number(std::string_view option, long least, long most, long otherwise) const;

    std::span<const std::string_view> operands() const noexcept { return operands_; }
    /// Returns operand `i`, or an empty string.
    std::string_view operand(std::size_t i) const { return i < operands_.size() ? operands_[i] : std::string_view(); }
    /// Returns the words after `--`.
    std::span<const std::string_view> program_arguments() const noexcept { return program_arguments_; }

    const command& of() const noexcept { return of_; }

private:
    const option& find_long(std::string_view name) const;
    void parse_short_options(std::string_view letters, std::span<char* const> words, std::size_t& i);
    void take(const option& found, std::optional<std::string_view> value, std::span<char* const> words, std::size_t& i);
    void check_operands() const;

    const command& of_;
    std::vector<std::pair<const option*, std::string_view>> options_;
    std::vector<std::string_view> operands_;
    std::vector<std::string_view> program_arguments_;
};

}  // namespace apus::cli::commands
