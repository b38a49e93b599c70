// SPDX-License-Identifier: Apache-2.0
#include "server/log_sink.hpp"

#include "server/collected_output.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>

using namespace apus;
using server::log_format;
using server::log_sink;
using test::collected_output;
using test::lines_of;
using test::number_after;

namespace {

constexpr std::chrono::seconds long_enough(20);

void record(log_sink& sink, std::string_view message, std::int64_t n) {
    const log::field f("n", n);
    sink.record(log::level::info, message, {&f, 1});
}

log_sink::options logfmt_to(int fd, std::size_t ring_bytes = 256 * 1024) {
    return {.fd = fd, .format = log_format::logfmt, .ring_bytes = ring_bytes};
}

// Numbers of records received, of records reported as dropped, and of such reports.
struct count {
    std::int64_t came = 0;
    std::int64_t dropped = 0;
    int notes = 0;
};

count counted(const std::string& text) {
    count c;
    for (auto& line : lines_of(text)) {
        const auto dropped = number_after(line, " dropped=");
        if (dropped < 0) ++c.came;
        else c.dropped += dropped, ++c.notes;
    }
    return c;
}

}  // namespace

TEST_CASE("records are complete, ordered, and have their thread's name") {
    collected_output out;
    {
        log_sink sink(logfmt_to(out.input()));
        std::thread([&] {
            pthread_setname_np(pthread_self(), "core 7");
            record(sink, "one", 1);
            record(sink, "two", 2);
        }).join();
        CHECK(sink.flush(long_enough));
    }
    auto lines = lines_of(out.all());
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].ends_with(" level=info msg=one thread=\"core 7\" n=1"));
    CHECK(lines[1].ends_with(" level=info msg=two thread=\"core 7\" n=2"));
}

TEST_CASE("four threads lose no record while the reader keeps up") {
    constexpr std::int64_t each = 4'000;
    collected_output out;
    out.read_on();
    {
        log_sink sink(logfmt_to(out.input()));
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                for (std::int64_t n = 1; n <= each; ++n) {
                    record(sink, "from" + std::to_string(t), n);
                    if (n % 500 == 0) sink.flush(long_enough);
                }
            });
        }
        for (auto& t : threads) t.join();
    }
    std::map<std::string, std::int64_t> last;
    bool in_order = true;
    for (auto& line : lines_of(out.all())) {
        const auto at = line.find("msg=");
        REQUIRE(at != line.npos);
        auto& before = last[line.substr(at, 9)];
        in_order = in_order && number_after(line, " n=") == before + 1;
        ++before;
    }
    CHECK(in_order);
    CHECK(last == std::map<std::string, std::int64_t>{
                      {"msg=from0", each}, {"msg=from1", each}, {"msg=from2", each}, {"msg=from3", each}});
}

TEST_CASE("a full pipe blocks no producer, and every record is accounted for") {
    constexpr std::int64_t records = 20'000;
    collected_output out;
    REQUIRE(fcntl(out.input(), F_SETPIPE_SZ, 4096) == 4096);  // smaller than the ring, which the records fill
    {
        log_sink sink(logfmt_to(out.input(), 16 * 1024));
        for (std::int64_t n = 0; n < records; ++n) record(sink, "m", n);
        CHECK_FALSE(sink.flush(std::chrono::milliseconds(1)));
        const auto while_blocked = sink.dropped_in_total();
        CHECK(while_blocked > records / 2);
        out.read_on();
        CHECK(sink.flush(long_enough));
        CHECK(sink.dropped_in_total() == while_blocked);
        record(sink, "after", records);
        CHECK(sink.flush(long_enough));
    }
    auto c = counted(out.all());
    CHECK(c.came + c.dropped == records + 1);
    CHECK(c.dropped > records / 2);
    CHECK(c.notes >= 1);
    CHECK(out.all().find("msg=after") != std::string::npos);
    CHECK(out.all().find(" level=warn msg=\"log: dropped ") != std::string::npos);
}

TEST_CASE("shutting down a sink with a full pipe is bounded in time") {
    collected_output out;
    const auto began = std::chrono::steady_clock::now();
    {
        log_sink sink(logfmt_to(out.input()));
        for (std::int64_t n = 0; n < 5'000; ++n) record(sink, "m", n);
    }
    CHECK(std::chrono::steady_clock::now() - began < long_enough);
}

TEST_CASE("a full disk is survived, and the dropped records are counted") {
    const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    REQUIRE(fd >= 0);
    collected_output out;
    {
        log_sink sink(logfmt_to(fd));
        for (std::int64_t n = 0; n < 3; ++n) {
            record(sink, "lost", n);
            CHECK(sink.flush(long_enough));
        }
        REQUIRE(dup2(out.input(), fd) == fd);
        record(sink, "came", 3);
        CHECK(sink.flush(long_enough));
    }
    close(fd);
    auto lines = lines_of(out.all());
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].find("msg=\"log: dropped 3 records\"") != std::string::npos);
    CHECK(lines[1].find("msg=came") != std::string::npos);
}

TEST_CASE("a truncated line does not run into the next one") {
    const int fd = memfd_create("log", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    REQUIRE(fd >= 0);
    REQUIRE(ftruncate(fd, 4096) == 0);
    // The file cannot grow beyond one page, and the page ends in the middle of a line.
    REQUIRE(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW) == 0);
    collected_output out;
    {
        log_sink sink(logfmt_to(fd));
        for (std::int64_t n = 0; n < 100; ++n) record(sink, "m", n);
        CHECK(sink.flush(long_enough));
        REQUIRE(dup2(out.input(), fd) == fd);
        record(sink, "came", 100);
        CHECK(sink.flush(long_enough));
    }
    close(fd);
    CHECK(out.all().starts_with("\ntime="));
    auto lines = lines_of(out.all());
    REQUIRE(lines.size() == 3);
    CHECK(number_after(lines[1], " dropped=") > 0);
    CHECK(lines[2].find("msg=came") != std::string::npos);
}

TEST_CASE("a pipe without a reader and an invalid descriptor are survived") {
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    close(ends[0]);
    for (int fd : {ends[1], -1}) {
        log_sink sink(logfmt_to(fd));
        record(sink, "m", 1);
        CHECK(sink.flush(long_enough));
        record(sink, "m", 2);
        CHECK(sink.flush(long_enough));
    }
    close(ends[1]);
}

TEST_CASE("writing to a socket never waits") {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    const int little = 4096;  // much smaller than the ring
    REQUIRE(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &little, sizeof little) == 0);
    std::string text;
    {
        log_sink sink(logfmt_to(ends[0]));
        for (std::int64_t n = 0; n < 10'000; ++n) record(sink, "m", n);
        CHECK_FALSE(sink.flush(std::chrono::milliseconds(1)));
        std::thread reader([&] {
            char bytes[4096];
            for (ssize_t n; (n = read(ends[1], bytes, sizeof bytes)) > 0;)
                text.append(bytes, static_cast<std::size_t>(n));
        });
        CHECK(sink.flush(long_enough));
        CHECK(sink.flush(long_enough));
        shutdown(ends[0], SHUT_WR);
        reader.join();
    }
    close(ends[0]);
    close(ends[1]);
    auto c = counted(text);
    CHECK(c.came + c.dropped == 10'000);
}

TEST_CASE("threads come and go, and one thread may record into two sinks in turn") {
    collected_output first_out, second_out;
    first_out.read_on();
    {
        log_sink first(logfmt_to(first_out.input()));
        log_sink second(logfmt_to(second_out.input()));
        for (std::int64_t n = 0; n < 200; ++n) std::thread([&] { record(first, "short", n); }).join();
        for (std::int64_t n = 0; n < 3; ++n) {
            record(first, "main", n);
            record(second, "main", n);
        }
    }
    CHECK(lines_of(first_out.all()).size() == 203);
    CHECK(lines_of(second_out.all()).size() == 3);
}
