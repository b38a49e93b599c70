// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace apus::testing {

/// Configuration of a `postgres_server`.
struct postgres_options {
    std::vector<std::string> settings;  ///< Settings of postgresql.conf, such as "ssl=on".
    std::string hba;                    ///< Lines of pg_hba.conf, placed before the lines that trust local clients.
    bool tcp = false;                   ///< Also listen on 127.0.0.1.
};

/// The distribution's PostgreSQL with its own data directory, for tests.
/// Listens on a Unix socket in a temporary folder. Runs as the user `postgres` if the tests run as root. Functions
/// throw `std::runtime_error` with the server's log after an error, and if a step takes over 30 s. The server ends with
/// the thread that created it, even if the process crashes.
class postgres_server {
public:
    explicit postgres_server(const postgres_options& = {});
    postgres_server(const postgres_server&) = delete;
    postgres_server& operator=(const postgres_server&) = delete;
    ~postgres_server();  ///< Stops the server and removes its files.

    /// Returns the server of this process, shared by all tests that need no special options.
    static postgres_server& shared();

    std::string url(std::string_view database = "postgres") const;  ///< URL of the Unix socket.
    const std::string& folder() const noexcept { return folder_; }  ///< Contains `data/` and the socket.
    std::string socket_path() const;
    unsigned port() const noexcept { return port_; }  ///< TCP port; also part of the socket's name.

    /// Creates a copy of a database, and returns the copy's URL.
    std::string make_database(std::string_view of = "template1");

    /// Runs statements by psql. Returns rows with `|` between columns.
    std::string run(std::string_view sql, std::string_view database = "postgres") const;

    void kill();     ///< Sends SIGKILL to all of its processes.
    void start();    ///< Call after `kill` or `stop`.
    void stop();     ///< Closes sessions at once, and waits until the server has ended.
    void suspend();  ///< Sends SIGSTOP to all of its processes: connections stay open but get no responses.
    void resume();   ///< Call after `suspend`.

private:
    void initialize();
    void wait_until_ready();
    std::vector<pid_t> processes() const;

    postgres_options options_;
    std::string folder_;
    unsigned port_ = 0;
    pid_t pid_ = -1;
    unsigned databases_ = 0;
};

}  // namespace apus::testing
