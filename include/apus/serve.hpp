// SPDX-License-Identifier: Apache-2.0
#pragma once

// Serves an app over the network.

#include <apus/blocking.hpp>
#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/limits.hpp>
#include <apus/sandbox.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

class app;
struct server_tls_options;
struct tracing_options;

namespace runtime {
class server_security;
}

namespace tracing {
class setup;
}

/// TLS configuration of a server, made from the options in tls.hpp. Default-constructed: no TLS.
/// Copies share one configuration.
class server_tls {
public:
    server_tls() noexcept : parts_(nullptr) {}
    explicit server_tls(const server_tls_options&);

    runtime::server_security* operator->() const noexcept { return parts_.operator->(); }
    explicit operator bool() const noexcept { return parts_.operator->() != nullptr; }

private:
    friend class detail::shared<server_tls, runtime::server_security>;
    static void keep(runtime::server_security*) noexcept;
    static void let_go(runtime::server_security*) noexcept;

    detail::shared<server_tls, runtime::server_security> parts_;
};

/// Tracing of a server: `.tracing = apus::tracer({.service = "shop"})`, with <apus/tracing.hpp>.
/// Default-constructed: no tracing. Copies share one configuration.
class tracer {
public:
    tracer() noexcept : parts_(nullptr) {}
    /// Throws `std::invalid_argument` for invalid options.
    explicit tracer(const tracing_options&);

    tracing::setup* operator->() const noexcept { return parts_.operator->(); }
    explicit operator bool() const noexcept { return parts_.operator->() != nullptr; }

private:
    friend class detail::shared<tracer, tracing::setup>;
    static void keep(tracing::setup*) noexcept;
    static void let_go(tracing::setup*) noexcept;

    detail::shared<tracer, tracing::setup> parts_;
};

/// Options of the server.
struct serve_options {
    std::string host = "127.0.0.1";  ///< An IPv4 or IPv6 address. "0.0.0.0" or "::": all addresses of the machine.
    std::uint16_t port = 8080;       ///< 0: a free port, which the line `listening on` shows.

    /// Addresses to listen on, instead of `host` and `port`:
    /// "127.0.0.1:8080", "unix:/run/app.sock", or with TLS "https://[::1]:8443". A comma-separated list restricts the
    /// protocols: "http/1.1", "h2" (TLS), "h2c" (no TLS).
    std::vector<std::string> listen = {};

    /// Additional addresses, in the form of `listen`, for proxies that send a PROXY header (version 1
    /// or 2) on each connection. A connection is closed if the peer's address is not in `proxies`, or if the header is
    /// malformed, or incomplete after `limits::head`. `request::remote_address` returns the address in the header, and
    /// `limits::connections_per_address` counts connections by it.
    std::vector<std::string> listen_proxied = {};
    std::vector<std::string> proxies = {};  ///< Addresses and networks, in the form of `network_list`.

    /// Accepts a TCP connection when its first bytes arrive, or after 1 s (TCP_DEFER_ACCEPT).
    /// Saves CPU time if most connections carry one request. `limits::head` and `limits::hello` begin when the
    /// connection is accepted. `limits::connections` does not count connections that are not accepted yet.
    bool defer_accept = false;

    /// Address of the administration: `/livez`, `/readyz`, `/metrics` and `/debug`.
    /// "127.0.0.1:9090" or "unix:/run/app-admin.sock", without TLS. Empty: no administration. All clients that can
    /// connect can read these routes, so use loopback, a Unix socket or a private network. The other listeners do not
    /// have these routes.
    std::string admin = {};
    /// Time after SIGTERM in which `/readyz` returns 503 and the server still accepts connections.
    /// Then the server drains. Gives load balancers time to notice that the server is not ready. A second signal ends
    /// this time.
    duration readiness_grace = {};
    /// `/livez` returns 503 while the event loop of a core is blocked for longer than this. 0: never.
    duration stalled_after = seconds(30);

    /// Certificates for `https://`. With TLS, `host` and `port` mean https; addresses in `listen` must
    /// have a scheme, and at least one must be https.
    server_tls tls = {};

    unsigned cores = 0;             ///< Number of serving threads. 0: one per CPU available to this process.
    apus::limits limits = {};       ///< Limits of requests and connections. Routes may override some.
    blocking_limits blocking = {};  ///< Limits of `apus::blocking`.
    apus::tracer tracing = {};      ///< Records requests and exports their traces. Default: disabled.
    bool access_log = false;        ///< Whether to log each response.
    duration drain = seconds(30);   ///< Maximum time for requests in flight to end after SIGTERM or SIGINT.

    /// Maximum time until the new process of a restart (SIGUSR2, `apus restart`) is ready.
    /// If the new process is not ready then, it is killed, and this process continues to serve.
    duration restart_deadline = seconds(30);
    /// Time in a restart for which the new process must serve before this process drains.
    /// If the new process ends earlier, for any reason, this process accepts connections again.
    duration restart_trial = seconds(1);
    std::string pid_file = {};  ///< File for the process ID of the server, for `apus restart`. Empty: no file.
    /// Existing folder for crash reports, which `apus crash` reads (docs/crashes.md).
    /// Empty: crashes are only logged. At most 50 reports of a program are kept.
    std::string crash_folder = {};

    /// Restricts files, ports and system calls of the process from its first request on.
    /// Default: no restrictions.
    sandbox_options sandbox = {};

    /// A core whose event loop is blocked for this long is reported in the log, with the request whose
    /// handler blocks it. 0: no reports.
    duration blocked_after = milliseconds(250);
    /// Adds the stack of the blocked core to these reports.
    /// The stack is captured by SIGURG, so blocking system calls of the handler may fail with EINTR. Always enabled if
    /// the library was built without NDEBUG.
    bool blocked_stack = false;

    /// Called once before the cores start, on the thread that called `serve`: for example, for
    /// migrations. Not called for `--help` and `--routes`, nor if APUS_PREPARE is 0. If it throws, the exception is
    /// printed, and the exit status is 1.
    void (*prepare)() = nullptr;
};

/// Serves until SIGTERM or SIGINT, then waits for requests in flight. Calls `make` once on each
/// core's thread. Prints `listening on http://host:port`, or https, for each listener when all cores serve. Call it
/// once at a time, on the main thread, before other threads are created: it blocks these signals for all threads that
/// are created later.
///
/// Ignores SIGPIPE in the process, logs crashes, and handles SIGHUP and SIGUSR2 (docs/running.md). Serves on sockets
/// of a service manager (LISTEN_FDS), and reports to it (NOTIFY_SOCKET; docs/restarting.md).
///
/// Returns the process's exit status: 0 if all requests ended in time; 1 if serving could not start (the
/// reason is on stderr); 3 if requests were aborted at the drain deadline; 128 plus the signal's number
/// if a second signal aborted them. If code of a handler still runs 1 s after requests were aborted,
/// `serve` does not return: the process exits without running destructors. The status is then 4 instead of 3.
int serve(app (*make)(), const serve_options& = {});

/// Serves with options from the command line, which override `defaults`.
/// Examples are `--host`, `--port`, `--cores`, `--listen`, `--access-log`, `--drain`, `--pid-file`, `--sandbox` and, if
/// `defaults` has `tls`, `--certificate`, `--key` and `--self-signed`. `--help` lists all options. `--routes` lists the
/// routes and exits. For invalid arguments, prints a message and returns 2.
int serve(app (*make)(), int argc, char** argv, serve_options defaults = {});

namespace detail {

/// A type-erased function that creates apps.
struct maker {
    const void* self;
    app (*call)(const void* self);
};
int serve(maker, const serve_options&);
int serve(maker, int argc, char** argv, serve_options);

template <class Make>
maker make_with(const Make& make) {
    return {&make, [](const void* self) { return (*static_cast<const Make*>(self))(); }};
}

}  // namespace detail

/// Serves apps that a callable with captures creates. Several threads call `make` concurrently.
template <class Make>
int serve(const Make& make, const serve_options& options = {}) {
    return detail::serve(detail::make_with(make), options);
}
template <class Make>
int serve(const Make& make, int argc, char** argv, serve_options defaults = {}) {
    return detail::serve(detail::make_with(make), argc, argv, static_cast<serve_options&&>(defaults));
}

}  // namespace apus
