// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lists and changes jobs on a blocking connection, for tools and admin pages of operators.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace apus::migrations {
class connection;
}

namespace apus::jobs {

/// State of a stored job. Completed jobs are deleted.
enum class job_state : unsigned char {
    ready,    ///< Waits for a node.
    delayed,  ///< Waits until its start time, or for the next attempt.
    running,
    dead,    ///< A dead letter.
    blocked  ///< Waits for an earlier job of its lane.
};

/// Returns the name of a state: "ready".
std::string_view name_of(job_state) noexcept;
/// Returns the state with this name; empty for an unknown name.
std::optional<job_state> state_of(std::string_view name) noexcept;

/// Jobs to select. Empty members select all.
struct job_selection {
    std::optional<std::int64_t> id = {};
    std::string queue = {};
    std::string kind = {};  ///< Name of the struct.
    std::optional<job_state> state = {};
};

/// A stored job. Times are milliseconds since 1970; 0: never.
struct job_record {
    std::int64_t id = 0;
    std::string queue{}, kind{};
    std::int64_t version = 0;
    job_state state = job_state::ready;
    std::int64_t priority = 0;
    std::int64_t attempt = 0;  ///< Number of attempts that have begun.
    std::string unique_key{};
    std::string lane{};
    std::string worker{};  ///< Node that runs the job.
    bool cancelled = false;
    double progress = 0;
    std::string note{};     ///< Note of the progress.
    std::string payload{};  ///< JSON.
    std::string errors{};   ///< A line per failed attempt.
    std::int64_t due_at = 0, created_at = 0, started_at = 0, ended_at = 0;
};

/// Lists and changes the jobs of a database.
/// Opens its own connection, and blocks the thread: in a server, call the functions with `apus::blocking`. All
/// functions throw `sql::migration_error`. Only one thread at a time may use the object.
class administration {
public:
    explicit administration(std::string_view url);
    administration(const administration&) = delete;
    administration& operator=(const administration&) = delete;
    ~administration();

    /// Returns jobs in descending order of their ids. `limit`: at most 10,000.
    std::vector<job_record> list(const job_selection& = {}, unsigned limit = 50);

    /// Makes selected dead letters ready, and selected delayed jobs due at once.
    /// Dead letters get all their attempts again. Returns the number of changed jobs. A dead letter is not changed if
    /// another job has its unique key; the number of such dead letters is added to `kept`.
    std::int64_t retry(const job_selection&, std::int64_t& kept);

    /// Removes selected jobs that wait, and requests the nodes of running jobs to cancel them.
    /// Does not change dead letters.
    std::int64_t cancel(const job_selection&);

    /// Deletes the selected dead letters. Returns their number.
    std::int64_t purge(const job_selection&);

private:
    migrations::connection* on_;
};

}  // namespace apus::jobs
