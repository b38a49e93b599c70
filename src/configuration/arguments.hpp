// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configuration/node.hpp"
#include "configuration/settings.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace apus::configuration {

enum class command : std::uint8_t {
    none,
    help,
    show,
    check,
    schema,
    example
};

/// A command line, divided between the settings and the server.
struct arguments {
    struct given {
        const setting* of;
        std::string text;
    };

    command wanted = command::none;
    std::optional<std::string> file = {};    ///< The value of `--config`.
    std::vector<given> values = {};          ///< In the order of the command line; one element per list item.
    std::vector<char*> of_server = {};       ///< The program's name, and the options of `apus::serve`.
    std::vector<std::string> problems = {};  ///< Sentences about unknown options and missing values.
};

/// Separates the options of settings from the options of the server.
/// Reports unknown options as problems. `settings` must outlive the result.
arguments read_arguments(int argc, char** argv, std::span<const setting> settings);

/// Puts the values of options into `to`. Appends a sentence to `problems` for each invalid value.
void put_arguments(const arguments&, node& to, std::vector<std::string>& problems);

/// Whether an option belongs to the server or to every configuration.
/// No setting can have such an option.
bool is_reserved_option(std::string_view option);

}  // namespace apus::configuration
