// SPDX-License-Identifier: Apache-2.0
#pragma once

// Serving an app over the network: included by app.hpp.

#include <apus/blocking.hpp>
#include <apus/detail/shared.hpp>
#include <apus/duration.hpp>
#include <apus/limits.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace apus {

class app;
struct tls_options;

namespace runtime {
class server_security;
}

/// TLS for a server, by options of tls.hpp, which is to be included to make one. An empty one, as it
/// is without options, speaks none. Copies are the same.
class tls_server {
public:
    tls_server() noexcept : parts_(nullptr) {}
    explicit tls_server(const tls_options&);

    runtime::server_security* operator->() const noexcept { return parts_.operator->(); }
    explicit operator bool() const noexcept { return parts_.operator->() != nullptr; }

private:
    friend class detail::shared<tls_server, runtime::server_security>;
    static void keep(runtime::server_security*) noexcept;
    static void let_go(runtime::server_security*) noexcept;

    detail::shared<tls_server, runtime::server_security> parts_;
};

/// How an app is served.
struct serve_options {
    std::string host = "127.0.0.1";  ///< An IPv4 or IPv6 address. "0.0.0.0" or "::" for all of this machine's.
    std::uint16_t port = 8080;       ///< 0 picks a free one, which the line `listening on` tells.

    /// Where to listen, in place of `host` and `port`: "127.0.0.1:8080", "unix:/run/app.sock", "https://[::1]:8443"
    /// (by TLS). Behind commas the only protocols that are spoken there: "http/1.1", "h2" (by TLS), "h2c" (without).
    std::vector<std::string> listen = {};

    /// Where proxies connect that put a PROXY header (of version 1 or 2) in front of each connection, written
    /// as in `listen`, and beside it. A connection of who is none of `proxies` is closed, and so is one whose
    /// header is malformed or not whole within `limits::head`. Who the header names is the peer
    /// then: `request::remote_address` tells it, and it is counted for `limits::connections_per_address`.
    std::vector<std::string> listen_proxied = {};
    std::vector<std::string> proxies = {};  ///< Addresses and networks, as `network_list` has them.

    /// Certificates for `https://`. With it, `host` and `port` mean https, and addresses in `listen`
    /// must say which they mean, one of them https.
    tls_server tls = {};

    unsigned cores = 0;             ///< Threads that serve. 0: one for each CPU this process may use.
    limits bounds = {};             ///< Of every request and connection; a route may set some for itself.
    blocking_limits blocking = {};  ///< Of the threads behind `apus::blocking`.
    bool access_log = false;        ///< A record of each response in the log.
    duration drain = seconds(30);   ///< How long requests in flight may take to end after SIGTERM or SIGINT.

    /// A core whose event loop has not turned for this long is reported in the log, with the request
    /// whose handler blocks it. 0: no reports.
    duration blocked_after = milliseconds(250);
    /// Reports hold the stack of the blocked core, taken by SIGURG: calls of the handler that wait in the
    /// kernel may be interrupted by it (EINTR). Always on in a library that was built without NDEBUG.
    bool blocked_stack = false;
};

/// Serves until SIGTERM or SIGINT, then lets requests in flight end. Calls `make` once on each
/// core, on that core's thread. Prints `listening on http://host:port`, or https, for each listener when all
/// cores serve. To be called once at a time, on the main thread, before other threads are made: it
/// blocks these signals for all that come after.
///
/// Ignores SIGPIPE for the process, logs crashes, and takes SIGHUP (docs/running.md).
///
/// Gives the process's exit status: 0 when everything ended in time, 1 when serving could not
/// begin (the reason is on stderr), 3 when the drain's deadline cut requests off, and 128 plus the
/// signal's number when a second signal did. Code of handlers that has not returned 1 s after that
/// does not hold up the end: then it does not return, and the process ends, after a deadline with
/// status 4, without running destructors.
int serve(app (*make)(), const serve_options& = {});

/// The same, set by the command line: `--host`, `--port`, `--cores`, `--listen`, `--access-log`,
/// `--drain`, `--routes`, which lists the routes in place of serving, and `--help`, which prints them all; where
/// `defaults` hold a `tls`, also `--certificate`, `--key`, `--self-signed`. A mistake in them gives 2, and says what
/// it is.
int serve(app (*make)(), int argc, char** argv, serve_options defaults = {});

namespace detail {

/// Something that makes apps, whatever its type.
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

/// For a `make` that captures: it is called on several threads at once.
template <class Make>
int serve(const Make& make, const serve_options& options = {}) {
    return detail::serve(detail::make_with(make), options);
}
template <class Make>
int serve(const Make& make, int argc, char** argv, serve_options defaults = {}) {
    return detail::serve(detail::make_with(make), argc, argv, static_cast<serve_options&&>(defaults));
}

}  // namespace apus
