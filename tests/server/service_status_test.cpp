// SPDX-License-Identifier: Apache-2.0
#include "server/service_status.hpp"

#include "server/restart_report.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace apus::server;

namespace {

// A datagram socket with an abstract name.
class mailbox_socket {
public:
    explicit mailbox_socket(const std::string& name) : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        std::memcpy(at.sun_path + 1, name.data(), name.size());
        REQUIRE(bind(fd_, reinterpret_cast<sockaddr*>(&at),
                     static_cast<socklen_t>(sizeof at.sun_family + 1 + name.size())) == 0);
    }
    mailbox_socket(const mailbox_socket&) = delete;
    mailbox_socket& operator=(const mailbox_socket&) = delete;
    ~mailbox_socket() { close(fd_); }

    std::string next() const {
        char text[200];
        const ssize_t n = recv(fd_, text, sizeof text, 0);
        return n < 0 ? "nothing" : std::string(text, static_cast<std::size_t>(n));
    }

private:
    int fd_;
};

}  // namespace

TEST_CASE("service status: messages, and the watchdog of this process only") {
    const std::string name = "apus-test-" + std::to_string(getpid());
    const mailbox_socket manager(name);
    setenv("NOTIFY_SOCKET", ("@" + name).c_str(), 1);
    setenv("WATCHDOG_USEC", "3000000", 1);
    const service_status status;
    CHECK(status.watchdog_interval() == 1500);
    CHECK(status.store_size() == 0);
    status.ready();
    CHECK(manager.next() == "READY=1");
    status.set_main_process(42);
    CHECK(manager.next() == "READY=1\nMAINPID=42");
    status.reloading();
    CHECK(manager.next().starts_with("RELOADING=1\nMONOTONIC_USEC="));
    status.remove_stored("a");
    CHECK(manager.next() == "FDSTOREREMOVE=1\nFDNAME=a");
    setenv("WATCHDOG_PID", "1", 1);
    CHECK(service_status().watchdog_interval() == 0);
    for (const char* variable : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(variable);
    service_status().ready();
    CHECK(manager.next() == "nothing");
}

TEST_CASE("the result of a restart is sent to the process that requested it") {
    const mailbox_socket waiting("apus-restart-" + std::to_string(getpid()));
    report_restart(getpid(), true, "process 7 serves");
    CHECK(waiting.next() == "ok process 7 serves");
    report_restart(getpid(), false, "too late");
    CHECK(waiting.next() == "no too late");
    report_restart(0, true, "nobody waits");
    CHECK(waiting.next() == "nothing");
}
