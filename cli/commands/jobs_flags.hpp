// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <string>

#include <apus/jobs/administration.hpp>

#include "cli/commands/database_flags.hpp"
#include "cli/jobs/jobs.hpp"

namespace apus::cli::commands {

inline constexpr option jobs_queue_flag = {.name = "queue", .value = "NAME", .summary = "only jobs of this queue"};
inline constexpr option jobs_kind_flag = {.name = "kind",
                                          .value = "NAME",
                                          .summary =
                                              "only jobs of this kind, the "
                                              "name of the payload's struct"};
inline constexpr option jobs_state_flag = {
    .name = "state", .value = "ready|delayed|blocked|running|dead", .summary = "only jobs in this state"};

inline std::string url_of(const arguments& given) {
    return database::find_target(given.value("url"), std::nullopt).url;
}

inline std::int64_t id_of(const arguments& given) {
    const std::string_view word = given.operand(0);
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
    if (error != std::errc() || end != word.data() + word.size() || id <= 0)
        misuse("`" + std::string(word) + "` is an invalid job id", given.of());
    return id;
}

inline apus::jobs::job_selection selection_of(const arguments& given) {
    apus::jobs::job_selection made;
    made.queue = given.value("queue").value_or("");
    made.kind = given.value("kind").value_or("");
    if (const auto state = given.value("state")) made.state = apus::jobs::state_of(*state);
    return made;
}

/// Returns the jobs that a command changes: one job by its id, or dead letters by options.
/// Throws a usage error without id and options, so that no command changes all jobs by accident.
inline apus::jobs::job_selection changed_by(const arguments& given) {
    apus::jobs::job_selection made;
    made.queue = given.value("queue").value_or("");
    made.kind = given.value("kind").value_or("");
    if (!given.operand(0).empty()) made.id = id_of(given);
    else made.state = apus::jobs::job_state::dead;
    if (!made.id && made.queue.empty() && made.kind.empty())
        misuse("an id, `--queue` or `--kind` is required", given.of());
    return made;
}

}  // namespace apus::cli::commands
