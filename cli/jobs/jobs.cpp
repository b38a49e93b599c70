// SPDX-License-Identifier: Apache-2.0
#include "cli/jobs/jobs.hpp"

#include <algorithm>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include <apus/jobs.hpp>
#include <apus/jobs/administration.hpp>

#include "cli/database/database.hpp"
#include "cli/errors/failure.hpp"

namespace apus::cli::jobs {

namespace {

using apus::jobs::job_record;
using apus::jobs::job_selection;
using apus::jobs::job_state;

// Opens the database and calls `work` with it.
template <class Work>
auto with_jobs(const std::string& url, Work&& work) {
    return database::explaining([&] {
        apus::jobs::administration jobs(url);
        return work(jobs);
    });
}

std::string time_text(std::int64_t milliseconds) {
    if (milliseconds == 0) return "";
    const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
    std::tm parts{};
    char text[32];
    if (!gmtime_r(&seconds, &parts)) return "";
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// Replaces control characters by spaces: the text of a job may contain any bytes, and must not control the terminal.
std::string printable(std::string_view text) {
    std::string made(text);
    std::ranges::replace_if(made, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return made;
}

std::string last_line(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    const auto at = text.rfind('\n');
    return printable(at == text.npos ? text : text.substr(at + 1));
}

std::string percent_text(const job_record& job) { return std::to_string(static_cast<int>(job.progress * 100)) + " %"; }

std::string remark_of(const job_record& job) {
    if (job.state == job_state::running)
        return (job.cancelled ? "is being cancelled, " : "") + percent_text(job) + " " + printable(job.note);
    if (job.state == job_state::delayed && job.errors.empty()) return "due " + time_text(job.due_at);
    return last_line(job.errors);
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

[[noreturn]] void no_such_job(std::int64_t id, const std::string& what) {
    throw errors::failure("E0909", "no " + what + " has the id " + std::to_string(id),
                          "`apus jobs list` lists the jobs");
}

std::string count_text(std::int64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

void list(const std::string& url, const job_selection& of, unsigned limit, terminal::shell& shell) {
    const auto found = with_jobs(url, [&](apus::jobs::administration& jobs) { return jobs.list(of, limit); });
    std::string text;
    for (const auto& job : found) {
        std::string line = padded(std::to_string(job.id), 6) + "  " + padded(std::string(name_of(job.state)), 7) +
                           "  " + padded(printable(job.queue), 8) + "  " + padded(printable(job.kind), 16) + "  " +
                           padded(std::to_string(job.attempt), 3) + "  " + time_text(job.created_at) + "  " +
                           remark_of(job);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    shell.print(text);
    if (found.empty()) shell.event("Found", "no jobs");
    else if (found.size() == limit) shell.hint("more jobs may exist; `--limit` sets the number of listed jobs");
}

void show(const std::string& url, std::int64_t id, terminal::shell& shell) {
    const auto found = with_jobs(url, [&](apus::jobs::administration& jobs) { return jobs.list({.id = id}); });
    if (found.empty()) no_such_job(id, "job");
    const job_record& job = found.front();
    const std::pair<std::string_view, std::string> lines[] = {
        {"id", std::to_string(job.id)},
        {"state", std::string(name_of(job.state)) + (job.cancelled ? ", is being cancelled" : "")},
        {"queue", job.queue},
        {"kind", job.kind},
        {"version", std::to_string(job.version)},
        {"priority", std::to_string(job.priority)},
        {"attempt", std::to_string(job.attempt)},
        {"key", job.unique_key},
        {"lane", job.lane},
        {"worker", job.worker},
        {"progress", job.state == job_state::running ? percent_text(job) + " " + job.note : std::string()},
        {"created", time_text(job.created_at)},
        {"due", job.state == job_state::delayed ? time_text(job.due_at) : std::string()},
        {"started", time_text(job.started_at)},
        {"ended", time_text(job.ended_at)},
        {"payload", job.payload}};
    std::string text;
    for (const auto& [name, value] : lines)
        if (!value.empty()) text += padded(std::string(name), 10) + printable(value) + "\n";
    std::string_view rest = job.errors;
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        text += padded("error", 10) + printable(rest.substr(0, end)) + "\n";
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    shell.print(text);
}

void retry(const std::string& url, const job_selection& of, terminal::shell& shell) {
    std::int64_t kept = 0;
    const auto changed = with_jobs(url, [&](apus::jobs::administration& jobs) { return jobs.retry(of, kept); });
    if (of.id && changed == 0 && kept == 0) no_such_job(*of.id, "dead letter or delayed job");
    shell.event("Retried", count_text(changed, "job"));
    if (kept != 0) shell.warning(count_text(kept, "dead letter") + " not retried: another job has the same unique key");
}

void cancel(const std::string& url, std::int64_t id, terminal::shell& shell) {
    const auto changed = with_jobs(url, [&](apus::jobs::administration& jobs) { return jobs.cancel({.id = id}); });
    if (changed == 0) no_such_job(id, "waiting or running job");
    shell.event("Cancelled", "job " + std::to_string(id));
}

void purge(const std::string& url, const job_selection& of, terminal::shell& shell) {
    const auto changed = with_jobs(url, [&](apus::jobs::administration& jobs) { return jobs.purge(of); });
    if (of.id && changed == 0) no_such_job(*of.id, "dead letter");
    shell.event("Deleted", count_text(changed, "dead letter"));
}

void print_schema(const std::string& url, int from, terminal::shell& shell) {
    shell.print(apus::jobs::schema(url.starts_with("sqlite:") ? "sqlite" : "postgres", from));
}

}  // namespace apus::cli::jobs
