// SPDX-License-Identifier: Apache-2.0
#include "sandbox/all_threads.hpp"

#include "sandbox/system_calls.hpp"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace apus::sandbox {
namespace {

using clock = std::chrono::steady_clock;

// The signal with which glibc changes the user ID of all threads (setuid). glibc does not let programs block it, and
// installs a handler when it creates the second thread. `on_signal` passes signals of other senders to that handler.
constexpr int number = 33;

// The kernel's struct sigaction. glibc's sigaction(3) rejects this signal, so the system call is used.
struct kernel_action {
    void (*handler)(int, siginfo_t*, void*);
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
};

struct visit_call {
    int (*call)(const void*) noexcept;
    const void* argument;
    unsigned number;  // different for each call of `on_all_threads`
    kernel_action before{};
    std::atomic<unsigned> ran = 0;      // signals handled
    std::atomic<unsigned> started = 0;  // threads that have run the call
    std::atomic<int> error = 0;
};

std::atomic<visit_call*> current = nullptr;
std::atomic<unsigned> last_number = 0;
thread_local unsigned last_run = 0;

int change_action(const kernel_action* to, kernel_action* before) noexcept {
    return static_cast<int>(syscall(SYS_rt_sigaction, number, to, before, sizeof(std::uint64_t)));
}

void run_here(visit_call& e) noexcept {
    if (last_run != e.number) {
        last_run = e.number;
        int none = 0;
        if (const int error = e.call(e.argument)) e.error.compare_exchange_strong(none, error);
        e.started.fetch_add(1);
    }
    e.ran.fetch_add(1);
}

void on_signal(int signal, siginfo_t* info, void* context) {
    const int before = errno;
    visit_call* const e = current.load();
    if (e && info->si_code == SI_QUEUE && info->si_value.sival_ptr == e) run_here(*e);
    else if (e && e->before.handler) e->before.handler(signal, info, context);
    errno = before;
}

std::string task_file(pid_t thread, const char* name) {
    return "/proc/self/task/" + std::to_string(thread) + "/" + name;
}

std::string name_of(pid_t thread) {
    std::string name;
    std::getline(std::ifstream(task_file(thread, "comm")), name);
    return name;
}

// Returns false for a thread that has ended, and for a worker thread of io_uring, which uses the rights of the thread
// that submitted the request.
bool needs_visit(pid_t thread) {
    std::string line;
    std::getline(std::ifstream(task_file(thread, "stat")), line);
    // The name may contain any characters. After it come the state, five numbers, and the flags (proc(5)).
    std::size_t at = line.rfind(')');
    if (at == line.npos || at + 2 >= line.size() || line[at + 2] == 'Z' || line[at + 2] == 'X') return false;
    for (int field = 0; field < 7 && at != line.npos; ++field) at = line.find(' ', at + 1);
    constexpr unsigned long io_worker = 0x10;  // PF_IO_WORKER
    unsigned long flags = 0;
    if (at != line.npos) std::from_chars(line.data() + at + 1, line.data() + line.size(), flags);
    return !(flags & io_worker);
}

// Whether the thread blocks this signal. Only a thread that sets its signal mask without glibc can do so.
bool blocks_signals(pid_t thread) {
    std::ifstream status(task_file(thread, "status"));
    constexpr std::string_view label = "SigBlk:\t";
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with(label)) continue;
        std::uint64_t mask = 0;
        std::from_chars(line.data() + label.size(), line.data() + line.size(), mask, 16);
        return mask >> (number - 1) & 1;
    }
    return false;
}

std::vector<pid_t> other_threads() {
    std::vector<pid_t> all;
    DIR* const folder = opendir("/proc/self/task");
    if (!folder) return all;
    while (const dirent* entry = readdir(folder)) {
        pid_t thread = 0;
        std::from_chars(entry->d_name, entry->d_name + std::strlen(entry->d_name), thread);
        if (thread > 0 && thread != gettid()) all.push_back(thread);
    }
    closedir(folder);
    return all;
}

bool exists(pid_t thread) { return access(task_file(thread, "").c_str(), F_OK) == 0; }

bool send(pid_t thread, visit_call& e) noexcept {
    siginfo_t info{};
    info.si_signo = number;
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = &e;
    return syscall(SYS_rt_tgsigqueueinfo, getpid(), thread, number, &info) == 0;
}

// Waits until a thread has handled the signal. Returns false on a timeout.
bool await(pid_t thread, const visit_call& e, unsigned ran, clock::time_point until) {
    while (e.ran.load() == ran && exists(thread)) {
        if (clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return true;
}

// Sends the signal to one thread after another. Waits until each thread has handled it.
void visit(visit_call& e, thread_results& results, clock::time_point until) {
    // glibc briefly blocks all signals in a new thread and in the thread that creates it.
    constexpr std::chrono::milliseconds instant(100);
    for (const pid_t thread : other_threads()) {
        const unsigned ran = e.ran.load();
        if (!needs_visit(thread) || !send(thread, e)) continue;
        if (await(thread, e, ran, clock::now() + instant)) continue;
        if (blocks_signals(thread)) {
            results.blocked.push_back(name_of(thread));  // glibc's handler ignores the signal if it is unblocked later
        } else if (!await(thread, e, ran, until)) {
            results.failure = "the thread `" + name_of(thread) + "` does not handle signals";
            return;
        }
    }
}

}  // namespace

// Repeats passes over all threads until a pass finds only threads that have run the call. A thread that starts during
// this last pass is created by a thread that has run the call, and inherits the effect of the call.
thread_results on_all_threads(int (*call)(const void*) noexcept, const void* argument,
                              std::chrono::milliseconds longest) {
    const auto until = clock::now() + longest;
    visit_call e{call, argument, last_number.fetch_add(1) + 1};
    thread_results results;
    run_here(e);
    if (other_threads().empty()) return results.error = e.error, results;
    std::thread([] {}).join();  // glibc sets its handler when it creates the first thread
    change_action(nullptr, &e.before);
    kernel_action ours = e.before;  // with `restorer`, which returns from handlers on x86-64
    constexpr unsigned long has_restorer = 0x04000000;
    if (this_machine == machine::x86_64 && !(ours.flags & has_restorer))
        return results.failure = "the C library has no handler of signal 33", results;
    ours.handler = on_signal;
    ours.flags |= SA_SIGINFO | SA_RESTART;
    current = &e;
    change_action(&ours, nullptr);
    for (unsigned before = 0; before != e.started.load() && results.failure.empty();) {
        before = e.started.load();
        results.blocked.clear();
        visit(e, results, until);
        if (results.failure.empty() && clock::now() > until)
            results.failure = "threads start too quickly, or do not handle signals";
    }
    change_action(&e.before, nullptr);
    current = nullptr;
    results.error = e.error;
    return results;
}

}  // namespace apus::sandbox
