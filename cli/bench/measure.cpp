// SPDX-License-Identifier: Apache-2.0
#include "cli/bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "cli/bench/figures.hpp"
#include "cli/bench/load_generator.hpp"
#include "cli/bench/processors.hpp"
#include "cli/manifest/manifest.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/system/signals.hpp"
#include "cli/text/lists.hpp"
#include "cli/work/routes.hpp"
#include "cli/work/background_program.hpp"
#include "cli/work/build.hpp"
#include "cli/work/presets.hpp"

namespace apus::cli::bench {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t rounds = 5;
constexpr double warm_up = 0.2;         // in seconds
constexpr double noise_threshold = 10;  // in percent
constexpr std::uint64_t enough_for_p99 = 100;
constexpr double other_load_threshold = 0.1;

fs::path saved(const manifest::manifest& project, const std::string& name) {
    return project.folder / "build/bench" / (name + ".json");
}

std::string percent(double part) { return std::to_string(std::lround(part * 100)) + " %"; }

void require_comparable(const std::string& name, const report& before, const report& now) {
    if (const std::string how = condition_differences(before, now); !how.empty())
        throw errors::failure("E0314", "`" + name + "` was measured " + how);
}

report earlier(const manifest::manifest& project, const bench_options& options, const report& planned) {
    const fs::path file = saved(project, options.compare);
    if (!fs::exists(file))
        throw errors::failure("E0314", "no figures saved as `" + options.compare + "` in build/bench",
                              "`apus bench --save " + options.compare + "` saves the figures of this run");
    report read = read_report(file);
    require_comparable(options.compare, read, planned);
    return read;
}

std::vector<measured_path> paths_of(const manifest::manifest& project, const bench_options& options) {
    std::vector<measured_path> made;
    std::ranges::transform(options.paths, std::back_inserter(made),
                           [](const std::string& path) { return measured_path{path}; });
    const std::string method = options.what.method == "HEAD" ? "GET" : options.what.method;
    if (options.paths.empty())
        for (const work::listed_route& route : work::routes_of(project, options.preset))
            if (route.method == method && route.path.find_first_of("{*") == route.path.npos)
                made.push_back({route.path});
    if (made.empty())
        throw errors::failure("E0312", "the app has no " + method + " route without path parameters",
                              "`apus bench --path /notes/1` selects a path");
    return made;
}

/// The measured program and the load generator.
class trial {
public:
    trial(const manifest::manifest& project, const bench_options& options, const processors& cpus,
          terminal::shell& shell)
        : shell_(shell), options_(options), server_(start(project, options, cpus)), load_cpus_(cpus.load.size()) {
        const std::string url = server_->wait_for_url();
        system::throw_if_interrupted();
        if (url.empty())
            throw errors::failure("E0307", "the program exited before it listened",
                                  "the output of the program is above; `apus run` reproduces the error");
        if (!url.starts_with("http://"))
            throw errors::failure(
                "E0312",
                "the program serves " + url.substr(0, url.find(':')) + ", but the load generator supports only http",
                "pass options that select plain HTTP: `apus bench -- OPTIONS`");
        port_ = url.substr(url.rfind(':') + 1);
    }

    // Sends requests to fill caches. Removes paths that do not respond with the expected status.
    void warm(std::vector<measured_path>& paths) {
        std::erase_if(paths, [&](const measured_path& each) {
            const load_result came = ask(each.path, warm_up, 0);
            if (came.figures.requests == 0)
                shell_.event("Skipped", each.path + ": " + came.first_error.value_or("no response before the timeout"));
            return came.figures.requests == 0;
        });
        if (paths.empty())
            throw errors::failure(
                "E0312",
                "no path returned " + (options_.what.status == 0 ? "a status from 200 to 299"
                                                                 : "status " + std::to_string(options_.what.status)),
                "the responses are listed above; `apus bench --path /notes/1` selects another path");
    }

    void add_round(measured_path& to, double seconds) {
        const double before = cpu_seconds_of(server_->pid());
        load_result came = ask(to.path, seconds, options_.rate);
        const double used = cpu_seconds_of(server_->pid()) - before;
        came.figures.cpu_per_request =
            came.figures.requests ? used * 1e6 / static_cast<double>(came.figures.requests) : 0;
        to.rounds.push_back(came.figures);
        if (!to.first_error) to.first_error = came.first_error;
        server_seconds_ += used, load_seconds_ += came.cpu_seconds, seconds_ += came.seconds;
    }

    double load() const { return seconds_ > 0 ? load_seconds_ / seconds_ / static_cast<double>(threads()) : 0; }
    const std::string& io() const { return io_; }
    double used() const { return server_seconds_ + load_seconds_; }

private:
    static std::unique_ptr<work::background_program> start(const manifest::manifest& project,
                                                           const bench_options& options, const processors& cpus) {
        system::invocation what{.words = {work::program_of(project, options.preset).string()},
                                .folder = project.folder};
        what.words.insert(what.words.end(), project.dev.arguments.begin(), project.dev.arguments.end());
        what.words.insert(what.words.end(), options.arguments.begin(), options.arguments.end());
        what.words.insert(what.words.end(), {"--host", "127.0.0.1", "--port", "0", "--drain", "1"});
        if (!std::getenv("APUS_LOG")) what.environment.emplace_back("APUS_LOG", "warn");
        const pinned to(cpus.server);
        return std::make_unique<work::background_program>(what);
    }

    std::uint64_t threads() const { return std::min<std::uint64_t>(load_cpus_, options_.connections); }

    load_result ask(const std::string& path, double seconds, std::uint64_t rate) {
        const load_result came = run_load({.port = port_,
                                           .path = path,
                                           .what = options_.what,
                                           .connections = options_.connections,
                                           .threads = threads(),
                                           .seconds = seconds,
                                           .rate = rate});
        io_ = came.io;
        if (server_->has_ended())
            throw errors::failure("E0307", "the program exited during requests to " + path,
                                  "the output of the program "
                                  "is above");
        return came;
    }

    terminal::shell& shell_;
    const bench_options& options_;
    std::unique_ptr<work::background_program> server_;
    std::size_t load_cpus_;
    std::string port_{}, io_{};
    double server_seconds_ = 0, load_seconds_ = 0, seconds_ = 0;
};

report planned(const bench_options& options, const processors& cpus) {
    return {.connections = options.connections,
            .seconds = static_cast<double>(options.seconds) / rounds,
            .server_cpus = cpus.server.size(),
            .apart = cpus.are_separate(),
            .rate = options.rate,
            .request = kept_of(options.what)};
}

report run(const manifest::manifest& project, const bench_options& options, const processors& cpus,
           const report& before, terminal::shell& shell) {
    report made = planned(options, cpus);
    made.paths = paths_of(project, options);
    trial of(project, options, cpus, shell);
    const pinned to(cpus.load);
    of.warm(made.paths);
    made.io = of.io();
    if (!options.compare.empty()) require_comparable(options.compare, before, made);
    const auto begin = std::chrono::steady_clock::now();
    const double used_before = cpu_seconds_of_all();
    for (std::size_t turn = 1; turn <= rounds; ++turn) {
        for (measured_path& each : made.paths) of.add_round(each, made.seconds);
        shell.event("Measured", "round " + std::to_string(turn) + " of " + std::to_string(rounds));
    }
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() *
                       static_cast<double>(cpus.are_separate() ? cpus.server.size() + cpus.load.size() : 1);
    made.others = std::clamp((cpu_seconds_of_all() - used_before - of.used()) / all, 0.0, 1.0);
    made.load = of.load();
    return made;
}

// Returns the largest number of unanswered requests at the end of a round.
std::uint64_t max_unanswered(const measured_path& of) {
    std::uint64_t most = 0;
    for (const round& each : of.rounds) most = std::max(most, each.unanswered);
    return most;
}

std::uint64_t min_responses(const measured_path& of) {
    return std::ranges::min(of.rounds, {}, &round::requests).requests;
}

// Warns about conditions that make the figures less reliable.
void print_warnings(const report& of, terminal::shell& shell) {
    if (of.others > other_load_threshold)
        shell.warning("other programs used " + percent(of.others) + " of the CPU time: the figures are unreliable");
    if (!of.apart)
        shell.warning(
            "server and load generator shared one CPU: requests/s and latencies are unreliable, CPU/request is less "
            "affected");
    for (const measured_path& each : of.paths)
        if (const double spread = summary_of(each, &round::requests_per_second).spread(); spread > noise_threshold)
            shell.warning("the rounds of " + each.path + " differ by " + percent(spread / 100) +
                          ": measure longer, or on an idle machine");
    if (of.apart && of.load > 0.95)
        shell.warning("the load generator was saturated: the server can handle more than was measured");
    for (const measured_path& each : of.paths)
        if (const std::uint64_t fewest = min_responses(each); fewest < enough_for_p99)
            shell.warning("a round of " + each.path + " had " + text::counted(fewest, "response") +
                          ", too few for p99: measure longer");
    if (of.io == "epoll")
        shell.warning(
            "io_uring is not available, so the load generator used epoll: compare only with figures measured with "
            "epoll");
    for (const measured_path& each : of.paths)
        if (const std::uint64_t late = max_unanswered(each); late > of.connections)
            shell.warning("at the end of a round, " + std::to_string(late) + " requests to " + each.path +
                          " were due but had no response: the program did not keep up with " + std::to_string(of.rate) +
                          " requests/s");
    for (const measured_path& each : of.paths)
        if (each.first_error) shell.warning("first error of " + each.path + ": " + *each.first_error);
}

bool print_differences(const report& before, const report& now, const std::string& name, terminal::shell& shell) {
    const auto found = differences(before, now);
    for (const difference& each : found) shell.event(each.worse ? "Worse" : "Better", each.text);
    if (found.empty()) shell.event("Compared", "with `" + name + "`: no difference beyond the noise");
    return std::ranges::none_of(found, &difference::worse);
}

}  // namespace

bool measure(const bench_options& options, terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    const processors cpus = share_processors();
    const report before = options.compare.empty() ? report{} : earlier(project, options, planned(options, cpus));
    work::build(project, {.preset = options.preset, .targets = {project.project.name}}, shell);
    const report now = run(project, options, cpus, before, shell);
    if (options.json) shell.print(json_of(now));
    else shell.print(text_of(now));
    print_warnings(now, shell);
    const bool well = options.compare.empty() || print_differences(before, now, options.compare, shell);
    if (options.save.empty()) return well;
    system::replace_file(saved(project, options.save), json_of(now));
    shell.event("Saved", "build/bench/" + options.save + ".json");
    return well;
}

int run_benchmark(const std::string& name, const std::string& preset, const std::vector<std::string>& arguments,
                  terminal::shell& shell) {
    const manifest::manifest project = manifest::find();
    if (!fs::exists(project.folder / "bench" / (name + "_bench.cpp"))) {
        std::string known;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(project.folder / "bench", none))
            if (const std::string file = entry.path().filename().string(); file.ends_with("_bench.cpp"))
                known += (known.empty() ? "`" : ", `") + file.substr(0, file.size() - 10) + "`";
        throw errors::failure(
            "E0312", "unknown benchmark `" + name + "`: `bench/" + name + "_bench.cpp` does not exist",
            known.empty() ? "`apus bench` alone measures the program under load" : "available: " + known);
    }
    work::build(project, {.preset = preset, .targets = {name + "_bench"}}, shell);
    system::invocation start{.words = {(work::build_folder(project, preset) / "bench" / (name + "_bench")).string()},
                             .folder = project.folder};
    start.words.insert(start.words.end(), arguments.begin(), arguments.end());
    shell.event("Running", name + "_bench");
    return system::run_in_terminal(start);
}

}  // namespace apus::cli::bench
