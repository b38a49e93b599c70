// SPDX-License-Identifier: Apache-2.0
#include "operations/process_stats.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

using namespace apus::operations;

namespace {

double value(const std::string& name) {
    exposition to(exposition_format::text);
    describe_process(to);
    const std::string text = std::move(to).finish();
    const auto at = text.find('\n' + name + ' ');
    REQUIRE(at != text.npos);
    return std::strtod(text.c_str() + at + name.size() + 2, nullptr);
}

}  // namespace

TEST_CASE("the process reports its memory, CPU time, threads and start") {
    CHECK(value("process_resident_memory_bytes") > 1e6);
    CHECK(value("process_virtual_memory_bytes") > value("process_resident_memory_bytes"));
    CHECK(value("process_threads") >= 1);
    CHECK(value("process_cpu_seconds_total") > 0);
    const double started = value("process_start_time_seconds"), now = static_cast<double>(std::time(nullptr));
    CHECK(started <= now + 2);
    CHECK(started > now - 24 * 3600);
}

TEST_CASE("open descriptors are counted") {
    const double before = value("process_open_fds");
    const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK(value("process_open_fds") == before + 1);
    close(fd);
    CHECK(value("process_open_fds") == before);
    CHECK(value("process_max_fds") >= before);
}
