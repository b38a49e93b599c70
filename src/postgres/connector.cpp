// SPDX-License-Identifier: Apache-2.0
#include "postgres/connector.hpp"

#include "sql/failure.hpp"

#include <algorithm>
#include <chrono>

#include <poll.h>

namespace apus::postgres {
namespace {

using clock = std::chrono::steady_clock;

error unreachable(const PGconn* c) {
    std::string why = c ? PQerrorMessage(c) : "out of memory";
    while (why.ends_with('\n')) why.pop_back();
    return sql::unreachable(why);
}

}  // namespace

std::string fault_in_url(const std::string& url) {
    char* message = nullptr;
    PQconninfoOption* options = PQconninfoParse(url.c_str(), &message);
    std::string why;
    if (!options) why = message ? message : "out of memory";
    PQconninfoFree(options);
    PQfreemem(message);
    while (why.ends_with('\n')) why.pop_back();
    return why;
}

result<std::shared_ptr<PGconn>> connect(const std::string& url, std::int64_t timeout, const std::atomic<bool>& stops) {
    // If a parameter is repeated, libpq uses the last value, so the URL overrides all of these except
    // `client_encoding`. These values disable the search for Kerberos tickets, and enable keep-alive, which detects
    // unreachable peers.
    const char* names[] = {"gssencmode",       "fallback_application_name",
                           "keepalives_idle",  "keepalives_interval",
                           "tcp_user_timeout", "dbname",
                           "client_encoding",  nullptr};
    const char* values[] = {"disable", "apus", "30", "10", "30000", url.c_str(), "UTF8", nullptr};
    const auto deadline = clock::now() + std::chrono::milliseconds(timeout);
    std::shared_ptr<PGconn> c(PQconnectStartParams(names, values, 1), PQfinish);
    if (c) PQsetNoticeProcessor(c.get(), [](void*, const char*) {}, nullptr);  // the default processor writes to stderr
    PostgresPollingStatusType wants = PGRES_POLLING_WRITING;
    while (c && PQstatus(c.get()) != CONNECTION_BAD) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now()).count();
        if (left <= 0) return failure(sql::unreachable("timeout while connecting"));
        if (stops) return failure(sql::unreachable("this process is shutting down"));
        pollfd p{PQsocket(c.get()), static_cast<short>(wants == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
        if (::poll(&p, 1, static_cast<int>(std::min<std::int64_t>(left, 100))) <= 0) continue;
        wants = PQconnectPoll(c.get());
        if (wants == PGRES_POLLING_FAILED) break;
        if (wants != PGRES_POLLING_OK) continue;
        if (PQgssEncInUse(c.get())) return failure(sql::unreachable("GSSAPI encryption (gssencmode) is not supported"));
        return c;
    }
    return failure(unreachable(c.get()));
}

}  // namespace apus::postgres
