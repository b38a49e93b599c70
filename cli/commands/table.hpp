// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "cli/commands/command.hpp"

namespace apus::cli::commands {

// Each command is defined in the file with its name. Also add a new command to the list in table.cpp.
extern const command add;
extern const command bench_command;
extern const command build;
extern const command cache;
extern const command cache_gc;
extern const command check;
extern const command clean;
extern const command completion;
extern const command config_check;
extern const command config_example;
extern const command config_schema;
extern const command config_show;
extern const command db_backup;
extern const command db_baseline;
extern const command db_check;
extern const command db_dump;
extern const command db_migrate;
extern const command db_new;
extern const command db_repair;
extern const command db_reset;
extern const command db_rollback;
extern const command db_seed;
extern const command db_shell;
extern const command db_status;
extern const command dev_command;
extern const command eject;
extern const command examination;
extern const command explain;
extern const command crash_report;
extern const command format;
extern const command help;
extern const command info;
extern const command init;
extern const command jobs_cancel;
extern const command jobs_list;
extern const command jobs_purge;
extern const command jobs_retry;
extern const command jobs_schema;
extern const command jobs_show;
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
extern const command restart;
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
extern const command top;
extern const command tree;
extern const command uninstall;
extern const command update;
extern const command upgrade;

/// Returns every command, in the order of the help text. Commands of a group are adjacent.
std::span<const command* const> table() noexcept;

/// Returns the options that every command accepts, before or after its name.
std::span<const option> global_options() noexcept;

/// The command at the beginning of a command line, and the number of words in its name.
struct named {
    const command* found = nullptr;
    std::size_t words = 0;
};

/// Returns the command whose name is the first word or the first two words.
/// Throws `errors::usage` (E0101) for an unknown command.
named find_command(std::span<char* const> words);

/// Returns the command with this full name ("sdk install"), or null.
const command* find_command(std::string_view name) noexcept;

}  // namespace apus::cli::commands
