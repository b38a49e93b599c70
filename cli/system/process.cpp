// SPDX-License-Identifier: Apache-2.0
#include "cli/system/process.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/system/descriptor.hpp"
#include "cli/system/signals.hpp"
#include "cli/text/package_of_program.hpp"

namespace apus::cli::system {

namespace {

using errors::system_failure;

struct pipe_ends {
    int read = -1, write = -1;
    pipe_ends() {
        int both[2];
        if (pipe2(both, O_CLOEXEC) != 0) throw system_failure("cannot create a pipe", errno);
        read = both[0], write = both[1];
    }
    ~pipe_ends() { close_read(), close_write(); }
    pipe_ends(const pipe_ends&) = delete;
    pipe_ends& operator=(const pipe_ends&) = delete;
    void close_read() {
        if (read >= 0) close(std::exchange(read, -1));
    }
    void close_write() {
        if (write >= 0) close(std::exchange(write, -1));
    }
};

// Descriptors for a child's standard streams; -1: inherited.
struct streams {
    int in = -1, out = -1, error = -1;
};

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> list;
    list.reserve(words.size() + 1);
    for (std::string& word : words) list.push_back(word.data());
    list.push_back(nullptr);
    return list;
}

errors::failure start_failure(const invocation& what, int error) {
    const std::string& name = what.words.front();
    if (error != ENOENT) return system_failure("cannot start `" + name + "`", error);
    return no_program(name);
}

// Runs in the child before exec and prepares its environment. Returns errno on failure.
int enter(const invocation& what, const streams& to, const std::vector<int>& kept) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
    if (to.in >= 0 && dup2(to.in, STDIN_FILENO) < 0) return errno;
    if (to.out >= 0 && dup2(to.out, STDOUT_FILENO) < 0) return errno;
    if (to.error >= 0 && dup2(to.error, STDERR_FILENO) < 0) return errno;
    int number = 3;
    for (const int fd : kept) {
        if (fd == number ? fcntl(fd, F_SETFD, 0) < 0 : dup2(fd, number) < 0) return errno;
        ++number;
    }
    if (const rlimit most{what.file_bytes, what.file_bytes}; what.file_bytes && setrlimit(RLIMIT_FSIZE, &most) != 0)
        return errno;
    if (!what.folder.empty() && chdir(what.folder.c_str()) != 0) return errno;
    for (const auto& [name, value] : what.environment) setenv(name.c_str(), value.c_str(), 1);
    if (!kept.empty()) setenv("LISTEN_PID", std::to_string(getpid()).c_str(), 1);
    return 0;
}

pid_t spawn(const invocation& what, const streams& to, const std::vector<int>& kept = {}) {
    throw_if_interrupted();
    std::vector<std::string> words = what.words;
    const std::vector<char*> list = pointers(words);
    pipe_ends report;  // exec closes the write end if it succeeds
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) throw system_failure("cannot start `" + what.words.front() + "`", errno);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, what.kill_with_parent ? SIGKILL : SIGTERM);
        int error = getppid() == parent ? enter(what, to, kept) : ESRCH;
        if (error == 0) execvp(list[0], list.data()), error = errno;
        [[maybe_unused]] const ssize_t told = write(report.write, &error, sizeof error);
        _exit(127);
    }
    report.close_write();
    int error = 0;
    ssize_t n;
    do n = read(report.read, &error, sizeof error);
    while (n < 0 && errno == EINTR);
    if (n == sizeof error) {
        waitpid(child, nullptr, 0);
        throw start_failure(what, error);
    }
    return child;
}

int status_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

// In milliseconds. Limits each call of poll, since a signal that arrives just before the call does not interrupt it.
constexpr int poll_interval = 200;

bool has_ended(pid_t child) {
    siginfo_t about{};
    return waitid(P_PID, static_cast<id_t>(child), &about, WEXITED | WNOHANG | WNOWAIT) == 0 && about.si_pid != 0;
}

int wait_for(pid_t child) {
    const descriptor ends{static_cast<int>(syscall(SYS_pidfd_open, child, 0))};
    int status = 0;
    bool told = false;
    for (pid_t ended = 0; ended != child;) {
        ended = waitpid(child, &status, WNOHANG);
        if (ended < 0 && errno != EINTR) throw system_failure("cannot wait for a program", errno);
        if (ended != 0) continue;
        // Ctrl-C in the terminal also signals the child, but a signal that is sent only to the tool must be
        // forwarded.
        if (received_signal() && !std::exchange(told, true)) kill(child, SIGTERM);
        pollfd waits{ends.fd, POLLIN, 0};
        poll(&waits, 1, ends.fd >= 0 ? poll_interval : 10);
    }
    throw_if_interrupted();
    return status_of(status);
}

// Transfers data between a child and memory until the child has closed both output streams.
class output_reader {
public:
    output_reader(const invocation& what, std::function<void(std::string_view)> out,
                  std::function<void(std::string_view)> error)
        : input_(what.input), sinks_{std::move(out), std::move(error)} {
        child_ = spawn(what, {in_.read, out_.write, error_.write});
        in_.close_read(), out_.close_write(), error_.close_write();
        fcntl(in_.write, F_SETFL, O_NONBLOCK);
        if (input_.empty()) in_.close_write();
    }

    ~output_reader() {
        if (child_ > 0) end(child_, SIGTERM);
    }
    output_reader(const output_reader&) = delete;
    output_reader& operator=(const output_reader&) = delete;

    int status() {
        while (out_.read >= 0 || error_.read >= 0) turn();
        return wait_for(std::exchange(child_, -1));
    }

private:
    void turn() {
        pollfd waits[] = {{out_.read, POLLIN, 0}, {error_.read, POLLIN, 0}, {in_.write, POLLOUT, 0}};
        const int ready = poll(waits, 3, poll_interval);
        if (ready < 0 && errno != EINTR) throw system_failure("cannot wait for a program", errno);
        if (received_signal()) {
            if (!std::exchange(told_, true)) kill(child_, SIGTERM);
            // Children of the child may keep the streams open after the child has exited.
            if (has_ended(child_)) return out_.close_read(), error_.close_read();
        }
        if (ready <= 0) return;
        if (waits[0].revents) take(out_, sinks_[0]);
        if (waits[1].revents) take(error_, sinks_[1]);
        if (waits[2].revents) give();
    }

    static void take(pipe_ends& from, const std::function<void(std::string_view)>& sink) {
        char piece[16384];
        const ssize_t n = read(from.read, piece, sizeof piece);
        if (n > 0) sink({piece, static_cast<std::size_t>(n)});
        else if (n == 0 || errno != EINTR) from.close_read();
    }

    void give() {
        const ssize_t n = write(in_.write, input_.data(), input_.size());
        if (n > 0) input_.remove_prefix(static_cast<std::size_t>(n));
        if (input_.empty() || (n < 0 && errno != EAGAIN && errno != EINTR)) in_.close_write();
    }

    pipe_ends in_, out_, error_;
    std::string_view input_;
    std::function<void(std::string_view)> sinks_[2];
    pid_t child_ = -1;
    bool told_ = false;
};

}  // namespace

errors::failure no_program(const std::string& name) {
    const std::string_view package = text::package_of_program(name);
    return {"E0107", "program not found: `" + name + "` in PATH",
            package.empty() ? "install it, or add its folder to PATH"
                            : "`apt-get install " + std::string(package) + "` installs it"};
}

std::string name_of_status(int status) {
    const char* signal = status > 128 ? sigabbrev_np(status - 128) : nullptr;
    return signal ? std::string("SIG") + signal : "status " + std::to_string(status);
}

bool is_crash(int status) noexcept {
    constexpr int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    return std::ranges::find(crashes, status - 128) != std::end(crashes);
}

bool has_program(std::string_view name) {
    const char* path = std::getenv("PATH");
    for (std::string_view left = path ? path : ""; !left.empty();) {
        const std::string folder(left.substr(0, left.find(':')));
        left.remove_prefix(std::min(left.size(), folder.size() + 1));
        if (access((folder + "/" + std::string(name)).c_str(), X_OK) == 0) return true;
    }
    return false;
}

outcome run(const invocation& what) {
    outcome ended;
    output_reader talk(
        what, [&](std::string_view text) { ended.out += text; }, [&](std::string_view text) { ended.error += text; });
    ended.status = talk.status();
    return ended;
}

int run(const invocation& what, const std::function<void(std::string_view)>& each_line) {
    auto lines = [&each_line](std::string& begun) {
        return [&begun, &each_line](std::string_view text) {
            begun += text;
            std::size_t from = 0;
            for (std::size_t end; (end = begun.find('\n', from)) != std::string::npos; from = end + 1)
                each_line(std::string_view(begun).substr(from, end - from));
            begun.erase(0, from);
        };
    };
    std::string out, error;
    output_reader talk(what, lines(out), lines(error));
    const int status = talk.status();
    for (const std::string& left : {out, error})
        if (!left.empty()) each_line(left);
    return status;
}

int run_in_terminal(const invocation& what) { return wait_for(spawn(what, {})); }

void exec(const invocation& what) {
    throw_if_interrupted();
    std::vector<std::string> words = what.words;
    const std::vector<char*> list = pointers(words);
    int error = enter(what, {}, {});
    if (error == 0) execvp(list[0], list.data()), error = errno;
    throw start_failure(what, error);
}

pid_t start(const invocation& what, const std::vector<int>& kept) { return spawn(what, {}, kept); }

started start_with_output(const invocation& what, const std::vector<int>& kept) {
    pipe_ends out;
    const pid_t child = spawn(what, {.out = out.write}, kept);
    return {child, std::exchange(out.read, -1)};
}

int end(pid_t child, int signal) {
    int status = 0;
    kill(child, signal);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status_of(status);
}

}  // namespace apus::cli::system
