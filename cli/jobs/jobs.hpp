// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <apus/jobs/administration.hpp>

#include "cli/terminal/shell.hpp"

namespace apus::cli::jobs {

/// Prints one line per job.
/// All functions of this header throw E0901 to E0903 if the database cannot be used.
void list(const std::string& url, const apus::jobs::job_selection&, unsigned limit, terminal::shell&);

/// Prints all values of a job. Throws E0909 if it does not exist.
void show(const std::string& url, std::int64_t id, terminal::shell&);

/// Makes dead letters ready, and delayed jobs due.
/// Throws E0909 if the selection has an id and no job was changed.
void retry(const std::string& url, const apus::jobs::job_selection&, terminal::shell&);

/// Cancels a job. Throws E0909 if it does not exist or is a dead letter.
void cancel(const std::string& url, std::int64_t id, terminal::shell&);

/// Deletes dead letters. Throws E0909 if the selection has an id and no job was deleted.
void purge(const std::string& url, const apus::jobs::job_selection&, terminal::shell&);

/// Prints the SQL that creates the tables, or changes tables of version `from` (0: there are none).
void print_schema(const std::string& url, int from, terminal::shell&);

}  // namespace apus::cli::jobs
