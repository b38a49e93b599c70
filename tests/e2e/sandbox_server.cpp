// SPDX-License-Identifier: Apache-2.0
// Acts as an attacker's code inside the sandbox: each route makes one attempt, and returns "ok" or the name of the
// error. ?thread= selects the thread of the attempt: a thread for blocking calls ("blocking"), a new thread ("new"), or
// a thread that was started before the sandbox was entered ("old"). By default it is the core's thread.
#include <apus/app.hpp>
#include <apus/blocking.hpp>
#include <apus/query.hpp>
#include <apus/serve.hpp>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <csignal>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netdb.h>
#include <sched.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct attack_options {
    std::string target = {};
    std::string thread = {};
};

// Returns an errno, or 0.
int errno_of(long result) { return result < 0 ? errno : 0; }

int open_with(const std::string& path, int flags) {
    const int fd = open(path.c_str(), flags | O_CLOEXEC, 0600);
    if (fd < 0) return errno;
    close(fd);
    return 0;
}

int connect_to(int family, const void* address, std::size_t size) {
    const int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return errno;
    const int error = errno_of(connect(fd, static_cast<const sockaddr*>(address), static_cast<socklen_t>(size)));
    close(fd);
    return error;
}

int connect_to_port(const std::string& port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect_to(AF_INET, &at, sizeof at);
}

int connect_to_path(const std::string& path) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::memcpy(at.sun_path, path.c_str(), std::min(path.size() + 1, sizeof at.sun_path - 1));
    return connect_to(AF_UNIX, &at, sizeof at);
}

int bind_port(const std::string&) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return errno;
    sockaddr_in at{};
    at.sin_family = AF_INET;
    const int error = errno_of(bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at));
    close(fd);
    return error;
}

int run_program(const std::string& program) {
    char* const words[] = {const_cast<char*>(program.c_str()), nullptr};
    pid_t child = -1;
    if (const int error = posix_spawn(&child, program.c_str(), nullptr, nullptr, words, environ)) return error;
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : ECHILD;
}

int set_up_ring(const std::string&) {
    io_uring_params p{};
    return errno_of(syscall(SYS_io_uring_setup, 8, &p));
}

int resolve(const std::string& name) {
    addrinfo* found = nullptr;
    const int error = getaddrinfo(name.c_str(), "80", nullptr, &found);
    if (!error) freeaddrinfo(found);
    return error ? ENOENT : 0;
}

int fork_child(const std::string&) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, nullptr, 0);
    return errno_of(child);
}

int rename_beside(const std::string& path) { return errno_of(rename(path.c_str(), (path + ".renamed").c_str())); }

struct attack {
    std::string_view name;
    int (*run)(const std::string& target);
};

constexpr attack attacks[] = {
    {"read", [](const std::string& path) { return open_with(path, O_RDONLY); }},
    {"write", [](const std::string& path) { return open_with(path, O_WRONLY | O_CREAT); }},
    {"list", [](const std::string& path) { return open_with(path, O_RDONLY | O_DIRECTORY); }},
    {"truncate", [](const std::string& path) { return errno_of(truncate(path.c_str(), 0)); }},
    {"remove", [](const std::string& path) { return errno_of(unlink(path.c_str())); }},
    {"rename", rename_beside},
    {"chmod", [](const std::string& path) { return errno_of(chmod(path.c_str(), 0777)); }},
    {"exec", run_program},
    {"execve", [](const std::string& path) { return errno_of(execl(path.c_str(), path.c_str(), nullptr)); }},
    {"fork", fork_child},
    {"connect", connect_to_port},
    {"connect_unix", connect_to_path},
    {"bind", bind_port},
    {"raw", [](const std::string&) { return errno_of(socket(AF_INET, SOCK_RAW, IPPROTO_TCP)); }},
    {"packets", [](const std::string&) { return errno_of(socket(AF_PACKET, SOCK_DGRAM, 0)); }},
    {"user_namespace", [](const std::string&) { return errno_of(unshare(CLONE_NEWUSER)); }},
    {"clone_namespace", [](const std::string&) { return errno_of(syscall(SYS_clone, CLONE_NEWUSER, 0, 0, 0, 0)); }},
    {"terminal", [](const std::string&) { return errno_of(ioctl(0, TIOCSTI, "x")); }},
    {"signal", [](const std::string& pid) { return errno_of(kill(std::stoi(pid), 0)); }},
    {"ring", set_up_ring},
    {"new_call", [](const std::string&) { return errno_of(syscall(9999)); }},
    {"become", [](const std::string&) { return errno_of(setuid(65534)); }},
    {"resolve", resolve},
    // These attempts end the process.
    {"ptrace", [](const std::string&) { return errno_of(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }},
    {"mount", [](const std::string& path) { return errno_of(mount("none", path.c_str(), "tmpfs", 0, nullptr)); }},
};

std::string run(const std::string& name, const std::string& target) {
    for (const attack& one : attacks) {
        if (one.name != name) continue;
        const int error = one.run(target);
        const char* const text = error ? strerrorname_np(error) : "ok";
        return text ? text : std::to_string(error);
    }
    return "unknown";
}

// A thread that is started before the sandbox is entered, like threads of libraries.
class old_thread {
public:
    old_thread() : thread_([this] { serve(); }) {}
    old_thread(const old_thread&) = delete;
    old_thread& operator=(const old_thread&) = delete;
    ~old_thread() {
        pass([] { return std::string(); }, true);
        thread_.join();
    }

    std::string pass(std::function<std::string()> call, bool last = false) {
        const std::lock_guard one(callers_);
        std::unique_lock lock(mutex_);
        call_ = std::move(call);
        ends_ = last;
        changed_.notify_all();
        changed_.wait(lock, [this] { return !call_; });
        return result_;
    }

private:
    void serve() {
        std::unique_lock lock(mutex_);
        do {  // the last call may be passed before this thread has begun
            changed_.wait(lock, [this] { return static_cast<bool>(call_); });
            result_ = call_();
            call_ = nullptr;
            changed_.notify_all();
        } while (!ends_);
    }

    std::mutex callers_, mutex_;
    std::condition_variable changed_;
    std::function<std::string()> call_;
    std::string result_;
    bool ends_ = false;
    std::thread thread_;
};

apus::task<std::string> attack_on_thread(std::string name, attack_options how, std::shared_ptr<old_thread> old) {
    const auto here = [=] { return run(name, how.target); };
    if (how.thread == "blocking") co_return co_await apus::blocking(apus::owning(here));
    if (how.thread == "old") co_return old->pass(here);
    if (how.thread != "new") co_return here();
    std::string result;
    std::thread([&] { result = here(); }).join();
    co_return result;
}

apus::app make_app() {
    apus::app app;
    auto old = std::make_shared<old_thread>();
    app.get("/", [] { return "hello\n"; });
    app.get("/attack/{name}", [old](std::string name, apus::query<attack_options> how) {
        return attack_on_thread(std::move(name), *how, old);
    });
    return app;
}

}  // namespace

int main(int argc, char** argv) {
    apus::serve_options options;
    if (const char* const trial = std::getenv("TEST_TRIAL_MS"))
        options.restart_trial = apus::milliseconds(std::atoi(trial));
    return apus::serve(make_app, argc, argv, options);
}
