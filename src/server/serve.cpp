// SPDX-License-Identifier: Apache-2.0
#include <apus/app.hpp>
#include <apus/log.hpp>
#include <apus/serve.hpp>

#include "base/thrown.hpp"
#include "http/successor.hpp"
#include "runtime/blocking.hpp"
#include "server/command_line.hpp"
#include "server/core_thread.hpp"
#include "server/endpoints.hpp"
#include "server/route_listing.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <utility>

#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace apus::server {
namespace {

using clock = std::chrono::steady_clock;
using state = core_thread::state;

constexpr int could_not_begin = 1;
constexpr int usage_error = 2;
constexpr int cut_off = 3;

int report(const std::string& what, int status) {
    std::fprintf(stderr, "error: %s\n", what.c_str());
    return status;
}

unsigned cpus_allowed() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

// Sockets are descriptors, and the usual soft limit of 1,024 is for programs that use select().
void raise_descriptor_limit() {
    rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/// The main thread: starts the cores, waits for signals, and sees to an orderly end.
class conductor {
public:
    conductor(detail::maker make, const serve_options& o, unsigned cores) : make_(make), crew_(o, cores), cores_(cores) {
        sigset_t stops;
        sigemptyset(&stops);
        sigaddset(&stops, SIGTERM);
        sigaddset(&stops, SIGINT);
        if (o.tls) sigaddset(&stops, SIGHUP);
        pthread_sigmask(SIG_BLOCK, &stops, &signals_before_);
        signals_ = signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK);
        crew_.news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    }
    ~conductor() {
        crew_.cores.clear();  // joins
        close(signals_);
        close(crew_.news);
        pthread_sigmask(SIG_SETMASK, &signals_before_, nullptr);
    }

    int conduct() {
        if (auto& tls = crew_.options.tls) {
            if (auto opened = tls->open(http::speaks_http2()); !opened) return report(opened.error(), could_not_begin);
        }
        if (auto opened = open_listeners(); !opened) return report(opened.error(), could_not_begin);
        for (auto& core : crew_.cores) core->start();
        while (any(state::starting)) wait(-1);
        for (auto& core : crew_.cores) {
            if (core->now() != state::failed) continue;
            int status = report(core->failure(), could_not_begin);
            stop_serving();
            return status;
        }
        for (auto& core : crew_.cores) core->begin();
        for (auto& url : urls_) std::printf("listening on %s\n", url.c_str());
        std::fflush(stdout);
        log::info("serving", {"cores", cores_}, {"io", crew_.cores[0]->backend()});
        while (!signal_) {
            wait(crew_.options.tls ? looks_at_files_every : -1);
            if (crew_.options.tls) crew_.options.tls->look_again(std::exchange(hung_up_, false));
        }
        return drain();
    }

private:
    static constexpr int looks_at_files_every = 1000;  // milliseconds

    std::expected<void, std::string> open_listeners() {
        auto where = endpoints(crew_.options);
        if (!where) return std::unexpected(where.error());
        crew_.ordinary = where->size() - crew_.options.listen_proxied.size();
        try {
            crew_.proxies = crew_.options.proxies;
        } catch (const std::invalid_argument& e) {
            return std::unexpected(std::string("`proxies`: ") + e.what());
        }
        std::vector<std::vector<net::listener>> sockets(cores_);
        for (auto& e : *where) {
            auto first = net::listener::open(e);
            if (!first) return std::unexpected(first.error());
            urls_.push_back(first->where().url());
            for (unsigned i = 1; i < cores_; ++i) {
                auto more = first->again();
                if (!more) return std::unexpected(more.error());
                sockets[i].push_back(std::move(*more));
            }
            sockets[0].push_back(std::move(*first));
        }
        for (unsigned i = 0; i < cores_; ++i)
            crew_.cores.push_back(std::make_unique<core_thread>(crew_, i, make_, std::move(sockets[i])));
        return {};
    }

    bool any(state s) const {
        return std::any_of(crew_.cores.begin(), crew_.cores.end(), [s](auto& core) { return core->now() == s; });
    }

    // Until a core or a signal has something to say.
    void wait(int milliseconds) {
        pollfd watched[] = {{signals_, POLLIN, 0}, {crew_.news, POLLIN, 0}};
        poll(watched, 2, milliseconds);
        std::uint64_t count;
        [[maybe_unused]] auto n = read(crew_.news, &count, sizeof count);
        signalfd_siginfo info;
        if (read(signals_, &info, sizeof info) == sizeof info) {
            if (info.ssi_signo == SIGHUP) return void(hung_up_ = true);
            ++signals_seen_;
            signal_ = static_cast<int>(info.ssi_signo);
        }
    }

    // Some core could not begin: those that did have nothing to finish.
    void stop_serving() {
        for (auto& core : crew_.cores) {
            if (core->now() != state::ready) continue;
            core->drain();
            core->give_up();
        }
    }

    int drain() {
        log::info("draining", {"connections", crew_.connections.total()});
        for (auto& core : crew_.cores) core->drain();
        const auto until = clock::now() + std::chrono::nanoseconds(crew_.options.drain.nanoseconds());
        auto time_left = [&] { return std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count(); };
        while (crew_.draining.load(std::memory_order_acquire) < cores_) wait(-1);
        for (auto& core : crew_.cores) core->end_when_empty();
        while (any(state::ready) && time_left() > 0 && signals_seen_ < 2) wait(static_cast<int>(time_left()));
        if (!any(state::ready)) return log::info("stopped"), 0;
        bool told = signals_seen_ > 1;
        log::warn("stopped with requests in flight", {"connections", crew_.connections.total()}, {"reason", told ? "a second signal" : "the deadline"});
        for (auto& core : crew_.cores) core->give_up();
        while (any(state::ready)) wait(100);
        return told ? 128 + signal_ : cut_off;
    }

    detail::maker make_;
    crew crew_;
    unsigned cores_;
    std::vector<std::string> urls_;
    sigset_t signals_before_;
    int signals_ = -1;
    int signal_ = 0;
    bool hung_up_ = false;
    unsigned signals_seen_ = 0;
};

int print_routes(detail::maker make) try {
    std::fputs(list_routes(make).c_str(), stdout);
    return 0;
} catch (const std::exception& e) {
    return report(e.what(), could_not_begin);
}

int run(detail::maker make, const serve_options& options) {
    raise_descriptor_limit();
    base::on_thrown([](std::string_view what) noexcept { log::error("a handler threw", {"what", what}); });
    runtime::blocking_threads threads(options.blocking);
    unsigned cores = options.cores ? options.cores : cpus_allowed();
    int status = conductor(make, options, cores).conduct();
    log::flush(seconds(1));
    return status;
}

}  // namespace
}  // namespace apus::server

namespace apus {
namespace detail {

int serve(maker make, const serve_options& options) { return server::run(make, options); }

int serve(maker make, int argc, char** argv, serve_options defaults) {
    auto line = server::read_command_line(argc, argv, std::move(defaults));
    if (!line) return server::report(line.error() + "\n\nhint: " + argv[0] + " --help", server::usage_error);
    auto& tls = line->options.tls;
    if (line->wants_help) return std::fputs(server::usage(argv[0], static_cast<bool>(tls)).c_str(), stdout), 0;
    if (line->wants_routes) return server::print_routes(make);
    if (!line->certificates.empty()) tls->use(std::move(line->certificates));
    if (line->self_signs) tls->self_sign();
    return server::run(make, line->options);
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
