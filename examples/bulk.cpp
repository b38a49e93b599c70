// SPDX-License-Identifier: Apache-2.0
// Many rows at once, in PostgreSQL by DATABASE_URL. Needs: create table reading (sensor bigint not null,
// celsius double precision not null)
#include <apus/app.hpp>
#include <apus/environment.hpp>
#include <apus/sql.hpp>
#include <apus/stream.hpp>

#include <charconv>
#include <cmath>

namespace {

struct reading {
    std::int64_t sensor;
    double celsius;
};

bool parse(std::string_view line, reading& to) {
    const char* const end = line.data() + line.size();
    const char* const space = std::from_chars(line.data(), end, to.sensor).ptr;
    if (space == line.data() || space == end || *space != ' ') return false;
    const auto [rest, why] = std::from_chars(space + 1, end, to.celsius);
    return rest == end && why == std::errc() && std::isfinite(to.celsius);
}

// Stores a body of lines "SENSOR CELSIUS" of any length: all of them, or none. Memory does not grow with the body.
apus::task<std::string> store(apus::sql::database db, apus::request& req) {
    auto to = db.copy_in<reading>("reading");
    std::string lines;
    reading one{};
    while (true) {
        const std::string_view piece = co_await req.read();
        if (piece.empty()) break;
        lines += piece;
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = lines.find('\n', begin)) != lines.npos; begin = end + 1) {
            if (!parse(std::string_view(lines).substr(begin, end - begin), one))
                co_await apus::fail(400, "invalid line");
            co_await to.write(one);
        }
        lines.erase(0, begin);
        if (lines.size() > 100) co_await apus::fail(400, "line too long");
    }
    if (!lines.empty()) co_await apus::fail(400, "the last line has no newline");
    co_return std::to_string(co_await to.finish()) + " rows\n";
}

// Sends the rows as a file, no faster than the client reads.
apus::task<> download(apus::sql::database db, apus::writer& out) {
    auto lines = db.copy_out("select sensor, celsius from reading order by sensor");
    while (auto piece = co_await lines.next()) co_await out.write(*piece);
}

apus::app make_app() {
    const auto db = apus::from_environment<apus::sql::database>("DATABASE_URL", "postgres:///bulk");
    apus::app app;
    app.post("/readings", [db](apus::request& req) { return store(db, req); }, {.body = std::uint64_t(1) << 40U});
    app.get("/readings.csv",
            [db] { return apus::stream("text/csv", [db](apus::writer& out) { return download(db, out); }); });
    return app;
}

}  // namespace

int main(int argc, char** argv) { return apus::serve(make_app, argc, argv); }
