// SPDX-License-Identifier: Apache-2.0
#include "postgres/connection.hpp"
#include "postgres/engine.hpp"
#include "postgres/pool.hpp"
#include "runtime/backend.hpp"
#include "runtime/loop.hpp"
#include "sql/engine.hpp"

#include "property.hpp"

#include <apus/task.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Arbitrary bytes from a PostgreSQL server, sent in pieces after the connection is established. The first byte
// of the input selects the size of the pieces. The bits of the second byte select whether the server closes the
// connection afterwards, and whether the client executes statements, receives notifications or copies rows.

namespace {

using namespace apus;

struct server {
    server() {
        folder = std::filesystem::temp_directory_path() / "apus-fuzz-XXXXXX";
        fuzz::must(::mkdtemp(folder.data()) != nullptr, "mkdtemp succeeds");
    }
    ~server() { std::filesystem::remove_all(folder); }

    /// Returns both ends of an established connection.
    std::pair<postgres::pgconn_ptr, int> connected() const {
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        // Each connection has its own socket name, so that a request to cancel a statement of an earlier connection
        // has no effect.
        static unsigned number = 0;
        const std::string port = std::to_string(1 + number++ % 60'000), path = folder + "/.s.PGSQL." + port;
        path.copy(at.sun_path, sizeof at.sun_path - 1);
        const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        fuzz::must(::bind(listener, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0, "bind");
        fuzz::must(::listen(listener, 1) == 0, "listen");
        const char* names[] = {"host", "port", "user", "dbname", "gssencmode", nullptr};
        const char* values[] = {folder.c_str(), port.c_str(), "u", "d", "disable", nullptr};
        postgres::pgconn_ptr c(PQconnectStartParams(names, values, 0), PQfinish);
        PQsetNoticeProcessor(c.get(), [](void*, const char*) {}, nullptr);
        (void)PQconnectPoll(c.get());
        const int fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        ::close(listener);
        ::unlink(path.c_str());
        constexpr std::string_view welcome("R\0\0\0\x8\0\0\0\0K\0\0\0\xc\0\0\0\x7\0\0\0\x7Z\0\0\0\x5I", 28);
        fuzz::must(::send(fd, welcome.data(), welcome.size(), 0) == std::ssize(welcome), "send");
        for (int i = 0; i < 10 && PQconnectPoll(c.get()) != PGRES_POLLING_OK; ++i) {}
        fuzz::must(PQstatus(c.get()) == CONNECTION_OK, "the connection is established");
        return {std::move(c), fd};
    }

    std::string folder;
};

task<> ask(postgres::pool& p, postgres::connection& in, std::string_view sql) {
    postgres::call c(p, postgres::call::kind::execute, {.text = {sql}});
    c.in = &in;
    c.in_transaction = true;  // the statement must not be repeated on another connection
    co_await c;
    if (!c.rows.format || c.failed) co_return;
    postgres::result_rows rows(std::move(c.rows));
    for (std::size_t r = 0; r < std::min<std::size_t>(rows.size(), 8); ++r)
        for (unsigned n = 0; n < std::min(rows.columns(), 8U); ++n) try {
                (void)rows.cell(r, n);
            } catch (const std::runtime_error&) {  // an invalid value
            }
}

task<> copy(postgres::pool& p, postgres::connection& in) {
    using enum postgres::call::kind;
    bool more = false;
    do {
        postgres::call c(p, more ? copy_more : copy_out, {.text = {"copy t to stdout"}});
        c.in = &in;
        c.in_transaction = true;
        co_await c;
        more = c.has_more;
    } while (more);
    for (int i = 0; i < 2; ++i) {
        postgres::call c(p, copy_in, {.text = {"copy t from stdin"}});
        c.copied = "1\n";
        c.in = &in;
        c.in_transaction = true;
        co_await c;
    }
}

task<> listen(std::unique_ptr<sql::listener> from) {
    while (true) {
        const auto got = co_await from->next().outcome();
        if (got && !*got) co_return;
    }
}

/// Sends `said` in pieces while the loop runs, until `dead` returns true.
template <class Dead>
void say(runtime::loop& loop, int fd, std::string_view said, std::size_t step, bool closes, Dead dead) {
    for (std::size_t at = 0; at < said.size() && !dead(); at += step) {
        const std::string_view piece = said.substr(at, step);
        if (::send(fd, piece.data(), piece.size(), MSG_NOSIGNAL) < 0) break;
        loop.turn(0);
    }
    if (closes) ::shutdown(fd, SHUT_WR);
    for (int i = 0; i < 3; ++i) loop.turn(0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    static const server from;
    static runtime::loop* const loop = new runtime::loop(runtime::make_epoll_backend());
    const std::string_view said(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::size_t step = data[0] ? data[0] : said.size();
    auto shared = std::make_shared<postgres::shared_state>();
    shared->url = "postgres://u@%2Fnone/d";
    const bool closes = data[1] & 1U;
    {
        postgres::pool& p = postgres::pool::of_this_core(shared);
        auto [c, fd] = from.connected();
        std::optional<postgres::connection> in;
        task_scope tasks({.on_failure = task_failure::only_logged});
        if (data[1] & 2U) {
            p.notifications().use(std::move(c));
            for (const char* channel : {"a", "b", "a"}) tasks.spawn(listen(p.notifications().listen(channel)));
            say(*loop, fd, said, step, closes, [] { return false; });
        } else {
            in.emplace(p, std::move(c));
            if (data[1] & 4U) tasks.spawn(copy(p, *in));
            else
                for (const char* sql : {"select 1", "select 2", "select 1"}) tasks.spawn(ask(p, *in, sql));
            say(*loop, fd, said, step, closes, [&] { return in->dead(); });
        }
        tasks.cancel();
        if (in) in->close();
        ::close(fd);
        for (int i = 0; i < 2; ++i) loop->turn(0);
        fuzz::must(tasks.size() == 0, "tasks end with their connection");
    }
    postgres::pool::end_here(*shared);
    return 0;
}
