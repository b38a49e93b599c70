// SPDX-License-Identifier: Apache-2.0
#include "server/crash_log.hpp"

#include "base/hex.hpp"
#include "profiling/code_map.hpp"
#include "profiling/stack.hpp"
#include "sandbox/system_calls.hpp"
#include "server/crash_file.hpp"
#include "server/halted_cores.hpp"
#include "server/last_exception.hpp"
#include "server/last_records.hpp"
#include "server/log_context.hpp"
#include "server/log_line.hpp"
#include "server/request_summary.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <span>
#include <string_view>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace apus::server {
namespace {

struct fatal {
    int number;
    std::string_view name;
};
constexpr fatal fatal_signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                                   {SIGILL, "SIGILL"},   {SIGABRT, "SIGABRT"}, {SIGSYS, "SIGSYS"}};

std::string_view name_of(int number) noexcept {
    for (const fatal& f : fatal_signals)
        if (f.number == number) return f.name;
    return "?";
}

// A signal handler has no object, and must not allocate. All initial values are zero, so that the variable takes no
// space in the program's file, and gets memory from the kernel only when it is written.
struct handler_state {
    static constexpr std::size_t max_cores = 1024, max_frames = 64, max_path = 4096, max_waiting = 64;

    std::atomic<pid_t> crashing = 0;  // the thread that writes the record
    std::atomic<bool> written = false;
    std::atomic<int> number = 0;     // the signal of that thread
    std::atomic<pid_t> process = 0;  // the owner of the socket, which forked processes share
    watched_core cores[max_cores] = {};
    std::atomic<std::size_t> core_count = 0;
    char program[max_path] = {};
    std::size_t program_size = 0;
    char build_id[2 * profiling::elf::image::max_build_id] = {};
    std::size_t build_id_size = 0;

    // Used by the thread that writes the record.
    profiling::code_map code;
    std::uintptr_t frames[max_frames] = {};
    std::size_t frame_count = 0;
    char stack[max_log_text] = {};
    std::size_t stack_size = 0;
    const void* waiting[max_waiting] = {};  // the requests of a core that are in the report
    std::size_t waiting_count = 0;

    std::string_view path() const noexcept { return {program, program_size}; }
    std::string_view id() const noexcept { return {build_id, build_id_size}; }
};
constinit handler_state crash;

struct handler_descriptors {
    std::atomic<int> folder = -1;
    std::atomic<int> socket = -1;  // see `crash_log::shut_down_on_crash`
};
constinit handler_descriptors descriptors;

std::uint64_t milliseconds_now() noexcept {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1000 + static_cast<std::uint64_t>(t.tv_nsec) / 1'000'000;
}

std::string_view file_name(std::string_view path) noexcept { return path.substr(path.rfind('/') + 1); }

std::size_t write_hex(std::string_view bytes, std::span<char> to) noexcept {
    std::size_t size = 0;
    for (const char c : bytes.substr(0, to.size() / 2))
        for (const unsigned shift : {4U, 0U})
            to[size++] = "0123456789abcdef"[static_cast<unsigned char>(c) >> shift & 15U];
    return size;
}

// Runs a step of the report. Memory may be damaged, so a fault ends only the step.
template <class F>
bool attempt(F step) noexcept {
    sigset_t faults;
    sigemptyset(&faults);
    for (const int number : {SIGSEGV, SIGBUS}) sigaddset(&faults, number);
    pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
    return profiling::survives([](void* of) noexcept { (*static_cast<F*>(of))(); }, &step);
}

// Returns the name of the system call that the sandbox refused, or an empty text for another cause.
std::string_view refused_call(int number, const siginfo_t& info) noexcept {
    constexpr int by_filter = 1;  // SYS_SECCOMP, which glibc does not define
    return number == SIGSYS && info.si_code == by_filter ? sandbox::name_of_system_call(info.si_syscall) : "";
}

bool has_address(int number, const siginfo_t& info) noexcept {
    return info.si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL);
}

// Appends a function to the text of the stack for the log, as long as the whole name fits.
void append_to_stack(const profiling::named_frame& frame, std::uintptr_t address) noexcept {
    const bool named = !frame.function.empty();
    const std::string_view name = named ? frame.function : frame.file.empty() ? "?" : file_name(frame.file);
    const number_text offset(named ? frame.offset : frame.file.empty() ? address : frame.file_address, 16);
    const std::string_view parts[] = {crash.stack_size ? " < " : "", name, "+0x", offset.view()};
    std::size_t size = 0;
    for (const auto part : parts) size += part.size();
    if (size > sizeof crash.stack - crash.stack_size) return;
    for (const auto part : parts)
        crash.stack_size =
            static_cast<std::size_t>(std::ranges::copy(part, crash.stack + crash.stack_size).out - crash.stack);
}

void add_frames(crash_file& to) noexcept {
    attempt([] { crash.code.read(); });
    profiling::frame_namer names(crash.code);
    for (std::size_t i = 0; i < crash.frame_count; ++i) {
        const std::uintptr_t address = crash.frames[i];
        attempt([&] {
            const auto frame = names.name(address);
            append_to_stack(frame, address);
            char id[2 * profiling::elf::image::max_build_id];
            const std::string_view build_id(id, write_hex(frame.build_id, id));
            to.add("frame", {number_text(address, 16), frame.file, number_text(frame.file_address, 16), build_id,
                             frame.function, number_text(frame.offset, 16)});
        });
    }
}

void add_requests(crash_file& to) noexcept {
    const std::size_t cores = crash.core_count;
    for (std::size_t i = 0; i < cores; ++i) {
        attempt([&] {
            runtime::activity* const core = crash.cores[i].doing;
            const auto add = [&](const request_summary& r) {
                if (!r.method.empty()) to.add("request", {number_text(i), r.method, r.route, r.id});
            };
            if (core == runtime::activity::here()) return add(request_summary::here());
            const runtime::inspection looks(*core);
            add(request_summary::of(looks.request()));
        });
    }
}

// Adds the request of a suspended task. Returns false if the report has enough requests of this core.
bool add_waiting(crash_file& to, std::size_t core, std::uint64_t now, const detail::promise_base& task) noexcept {
    constexpr unsigned max_callers = 64;  // a damaged chain may have a cycle
    const void* request = nullptr;
    unsigned callers = 0;
    for (const auto* at = &task; at && !request && callers < max_callers; at = at->caller, ++callers)
        request = at->request;
    const auto listed = std::span(crash.waiting).first(crash.waiting_count);
    if (!request || std::ranges::find(listed, request) != listed.end()) return true;
    const auto r = request_summary::of(request);
    if (r.method.empty()) return true;  // a job
    crash.waiting[crash.waiting_count++] = request;
    const number_text number(core), line(task.site.line()), time(now > task.since ? now - task.since : 0);
    to.add("waiting", {number, r.method, r.route, r.id, time, file_name(task.site.file_name()), line});
    return crash.waiting_count < handler_state::max_waiting;
}

// The threads of the cores do not run, so their lists do not change. A list may be damaged, or may be read in the
// middle of a change, so the number of its tasks is limited, and a fault ends its reading.
void add_waiting_requests(crash_file& to) noexcept {
    if (!to.open()) return;
    constexpr unsigned max_tasks = 10'000;
    const auto cores = std::span(crash.cores).first(crash.core_count);
    const halted_cores halted(cores);
    for (std::size_t i = 0; i < cores.size(); ++i) {
        attempt([&] {
            const runtime::activity* const core = cores[i].doing;
            if (!halted_cores::includes(core)) return;
            const std::uint64_t now = milliseconds_now();
            crash.waiting_count = 0;
            unsigned tasks = 0;
            core->suspended.visit_oldest(
                [&](const auto& task) { return ++tasks <= max_tasks && add_waiting(to, i, now, task); });
        });
    }
}

void write_file(int number, const siginfo_t& info) noexcept {
    const auto now = static_cast<std::uint64_t>(std::time(nullptr));
    crash_file to(descriptors.folder, file_name(crash.path()), now);
    char thread[16] = {};
    prctl(PR_GET_NAME, thread);
    to.add("signal", {name_of(number)});
    if (has_address(number, info)) to.add("address", {number_text(reinterpret_cast<std::uintptr_t>(info.si_addr), 16)});
    if (const auto call = refused_call(number, info); !call.empty()) to.add("system_call", {call});
    if (const auto last = last_exception(); !last.type.empty()) to.add("exception", {last.type, last.text});
    to.add("time", {number_text(now)});
    to.add("process", {number_text(static_cast<std::uint64_t>(getpid()))});
    to.add("thread", {thread});
    to.add("program", {crash.path()});
    to.add("build_id", {crash.id()});
    to.add("apus", {APUS_VERSION});
    add_requests(to);
    add_frames(to);
    add_waiting_requests(to);
}

void write_report(int number, const siginfo_t& info, void* context) noexcept {
    attempt([&] { crash.frame_count = profiling::capture_stack(context, crash.frames); });
    write_file(number, info);
    attempt([&] {
        const auto r = request_summary::here();
        const auto last = last_exception();
        const log::field given[] = {{"signal", name_of(number)},
                                    optional_field("system_call", refused_call(number, info)),
                                    optional_field("exception", last.type),
                                    optional_field("what", last.text),
                                    optional_field("target", r.target.substr(0, r.target.find('?'))),
                                    optional_field("stack", {crash.stack, crash.stack_size}),
                                    optional_field("build_id", crash.id())};
        write_crash_record("the process crashed", fields_of_request(given).all());
    });
}

// The report takes too long, for example since no process reads the pipe that is standard error. Ends the process by
// the signal of the crash.
void on_deadline(int) noexcept {
    const int number = crash.number;
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &ends, nullptr);
    raise(number);
}

// Limits the time of the report. The handler interrupts this thread, even in write(2).
void set_deadline(int number) noexcept {
    constexpr unsigned longest = 10;  // seconds
    crash.number = number;
    struct sigaction ours{};
    ours.sa_handler = on_deadline;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGALRM, &ours, nullptr);
    sigset_t expected;
    sigemptyset(&expected);
    sigaddset(&expected, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &expected, nullptr);
    const itimerval once{.it_interval = {}, .it_value = {.tv_sec = longest, .tv_usec = 0}};
    setitimer(ITIMER_REAL, &once, nullptr);
}

// Several threads may crash at the same time, for example for lack of memory. The other threads wait until the first
// thread has written its record, at most for 10 s: the default action would end the process. Once the default action is
// restored, a fault occurs again at the same instruction. A signal sent by a process or by the sandbox does not occur
// again, so this function raises it.
void crashed(int number, siginfo_t* info, void* context) noexcept {
    if (info->si_code > 0 && (number == SIGSEGV || number == SIGBUS)) profiling::recover_from_fault();
    if (const int s = descriptors.socket; s >= 0 && crash.process == getpid()) shutdown(s, SHUT_WR);
    pid_t first = 0;
    if (const pid_t self = gettid(); crash.crashing.compare_exchange_strong(first, self)) {
        set_deadline(number);
        write_report(number, *info, context);
        crash.written = true;
    } else if (first != self) {
        constexpr timespec step{.tv_sec = 0, .tv_nsec = 10'000'000};
        for (int i = 0; i < 1000 && !crash.written; ++i) nanosleep(&step, nullptr);
    }
    signal(number, SIG_DFL);
    if (info->si_code <= 0 || number == SIGSYS) raise(number);
}

// Reads the path and the build ID of the program, which the handler writes.
void identify_program() noexcept {
    const ssize_t size = readlink("/proc/self/exe", crash.program, sizeof crash.program);
    crash.program_size = size > 0 ? static_cast<std::size_t>(size) : 0;
    crash.code.read();
    const auto* const own = crash.code.find_file(crash.path());
    if (!own) return;
    const profiling::mapped_file program(*own);
    if (program.image()) crash.build_id_size = write_hex(program.image()->build_id(), crash.build_id);
}

}  // namespace

crash_log::crash_log() noexcept {
    profiling::prepare_to_capture();
    identify_program();
    remember_exceptions();
    for (const fatal& f : fatal_signals) {
        struct sigaction before{};
        if (sigaction(f.number, nullptr, &before) != 0 || (before.sa_flags & SA_SIGINFO) ||
            before.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours{};
        ours.sa_sigaction = crashed;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&ours.sa_mask);
        sigaction(f.number, &ours, nullptr);
    }
}

crash_log::~crash_log() {
    forget_cores();
    descriptors.socket = -1;
    forget_exceptions();
    if (const int folder = descriptors.folder.exchange(-1); folder >= 0) close(folder);
    for (const fatal& f : fatal_signals) {
        struct sigaction now{};
        if (sigaction(f.number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == crashed)
            signal(f.number, SIG_DFL);
    }
}

std::expected<void, std::string> crash_log::write_files(const std::string& folder) {
    const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) != 0) {
        const int why = errno;
        if (fd >= 0) close(fd);
        return std::unexpected("crash_folder: cannot write to `" + folder + "`: " + std::strerror(why));
    }
    remove_old_reports(fd, file_name(crash.path()));
    if (const int before = descriptors.folder.exchange(fd); before >= 0) close(before);
    return {};
}

void crash_log::watch(runtime::activity& core, pthread_t thread) noexcept {
    const runtime::inspection prepares(core);  // registers the process for membarrier(2)
    const std::size_t number = crash.core_count;
    if (number == handler_state::max_cores) return;
    crash.cores[number].doing = &core;
    crash.cores[number].thread = thread;
    crash.core_count = number + 1;
}

void crash_log::shut_down_on_crash(int socket) noexcept {
    crash.process = getpid();
    descriptors.socket = socket;
}

void crash_log::forget_cores() noexcept { crash.core_count = 0; }

}  // namespace apus::server
