// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/log.hpp>
#include <apus/serve.hpp>

#include "server/command_line.hpp"
#include "server/serve.hpp"
#include "server/supervisor.hpp"
#include "server/failure_log.hpp"
#include "server/last_records.hpp"
#include "server/route_listing.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <sched.h>
#include <sys/resource.h>

namespace apus::sql {

// Defined in src/sql, and linked only into programs that use databases. In other programs the symbol is null.
[[gnu::weak]] std::string list_statements(void (*make_app)(const void*), const void* of);

}  // namespace apus::sql

namespace apus::server {
namespace {

unsigned cpus_allowed() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

// Each socket needs a descriptor. The usual soft limit of 1,024 is meant for programs that use select(2).
void raise_descriptor_limit() {
    rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int print_routes(detail::maker make) try {
    std::fputs(list_routes(make).c_str(), stdout);
    return 0;
} catch (const std::exception& e) {
    return report(e.what(), start_failed);
}

int print_statements(detail::maker make) {
    const auto make_app = [](const void* of) {
        const auto& from = *static_cast<const detail::maker*>(of);
        (void)from.call(from.self);
    };
    const std::string all =
        sql::list_statements ? sql::list_statements(make_app, &make) : "{\"databases\":false,\"statements\":[]}\n";
    std::fputs(all.c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : start_failed;
}

int prepare(const serve_options& options) try {
    // `apus` sets APUS_PREPARE=0 when it runs the program only to read its description: the database must not change.
    const char* const set = std::getenv("APUS_PREPARE");
    if (options.prepare && (!set || std::string_view(set) != "0")) options.prepare();
    return 0;
} catch (const std::exception& e) {
    return report(e.what(), start_failed);
}

int run(detail::maker make, const serve_options& options, reload_handler* on_reload = nullptr) {
    if (const int failed = prepare(options)) return failed;
    raise_descriptor_limit();
    log_failures();
    const int status = supervisor(make, options, options.cores ? options.cores : cpus_allowed(), on_reload).run();
    write_last_records();
    return status;
}

}  // namespace

int print(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    return written ? 0 : start_failed;
}

int report(const std::string& what, int status) {
    std::fprintf(stderr, "error: %s\n", what.c_str());
    return status;
}

int serve(detail::maker make, int argc, char** argv, serve_options defaults, reload_handler* on_reload) {
    auto line = read_command_line(argc, argv, std::move(defaults));
    if (!line) return report(line.error() + "\n\nhint: " + argv[0] + " --help", usage_error);
    auto& tls = line->options.tls;
    if (line->wants_help) return print(usage(argv[0], static_cast<bool>(tls)));
    if (line->wants_routes) return print_routes(make);
    if (line->wants_statements) return print_statements(make);
    if (!line->certificates.empty()) tls->use(std::move(line->certificates));
    if (line->self_signs) tls->self_sign();
    return run(make, line->options, on_reload);
}

}  // namespace apus::server

namespace apus {
namespace detail {

int serve(maker make, const serve_options& options) { return server::run(make, options); }

int serve(maker make, int argc, char** argv, serve_options defaults) {
    return server::serve(make, argc, argv, std::move(defaults), nullptr);
}

}  // namespace detail

namespace {

using plain_maker = app (*)();

detail::maker plain(const plain_maker& make) {
    return {&make, [](const void* self) { return (*static_cast<const plain_maker*>(self))(); }};
}

}  // namespace

int serve(app (*make)(), const serve_options& options) { return detail::serve(plain(make), options); }
int serve(app (*make)(), int argc, char** argv, serve_options defaults) {
    return detail::serve(plain(make), argc, argv, std::move(defaults));
}

}  // namespace apus
