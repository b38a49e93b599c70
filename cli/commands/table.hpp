// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "cli/commands/command.hpp"

namespace apus::cli::commands {

// Each is in the file of its name. What is declared here must stand in the list of table.cpp too.
extern const command add;
extern const command bench_command;
extern const command build;
extern const command cache;
extern const command cache_gc;
extern const command check;
extern const command clean;
extern const command completion;
extern const command dev_command;
extern const command eject;
extern const command examination;
extern const command explain;
extern const command format;
extern const command help;
extern const command info;
extern const command init;
extern const command licenses;
extern const command lock;
extern const command manual;
extern const command module_check;
extern const command module_graph;
extern const command module_list;
extern const command module_new;
extern const command new_project;
extern const command openapi;
extern const command outdated;
extern const command package;
extern const command package_verify;
extern const command production;
extern const command registry_add;
extern const command registry_list;
extern const command registry_publish;
extern const command registry_remove;
extern const command registry_search;
extern const command remove;
extern const command routes;
extern const command run_command;
extern const command sbom;
extern const command sdk_info;
extern const command sdk_install;
extern const command sdk_list;
extern const command sdk_pack;
extern const command sdk_remove;
extern const command sdk_use;
extern const command sdk_upgrade;
extern const command sdk_verify;
extern const command test;
extern const command tree;
extern const command uninstall;
extern const command update;
extern const command upgrade;

/// Every command, in the order in which help lists them: those of a group together.
std::span<const command* const> table() noexcept;

/// Taken by every command, before or behind its name.
std::span<const option> global_options() noexcept;

/// What the first words of a command line name: a command, and how many words its name has.
struct named {
    const command* found = nullptr;
    std::size_t words = 0;
};

/// The command that the first one or two words name. Throws `errors::usage` (E0101) if there is none.
named find_command(std::span<char* const> words);

/// The command of this whole name ("sdk install"), or null.
const command* find_command(std::string_view name) noexcept;

}  // namespace apus::cli::commands
