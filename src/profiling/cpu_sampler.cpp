// SPDX-License-Identifier: Apache-2.0
#include "profiling/cpu_sampler.hpp"

#include "profiling/stack.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string_view>
#include <thread>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace apus::profiling {
namespace {

constexpr std::size_t max_frames = 64, max_label = 120;
constexpr std::size_t max_stacks = 20'000;  // distinct keys of a profile: about 12 MB

// A recorded sample. A thread takes a free slot, fills it and hands it over to the collecting thread.
struct slot {
    enum stage : int {
        free,
        taken,
        full
    };
    std::atomic<int> state = free;
    pid_t thread = 0;
    std::int64_t weight = 0;
    std::size_t frames = 0, label_size = 0;
    std::uintptr_t stack[max_frames];
    char label[max_label];
};

std::size_t slots_for(unsigned cpus) noexcept {
    constexpr std::size_t per_cpu = 64;  // six times the samples of 100 ms
    return std::clamp<std::size_t>(cpus * per_cpu, 256, 8192);
}

// The CPU clock of a thread of this process, as the kernel numbers them (pthread_getcpuclockid).
clockid_t cpu_clock_of(pid_t thread) noexcept {
    constexpr unsigned per_thread = 4, scheduler_time = 2;
    return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3U) | per_thread | scheduler_time);
}

std::string name_of_thread(pid_t thread) {
    char name[32];
    const int fd = open(("/proc/self/task/" + std::to_string(thread) + "/comm").c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, name, sizeof name) : 0;
    if (fd >= 0) close(fd);
    return {name, static_cast<std::size_t>(n > 0 ? n - 1 : 0)};  // without the line feed
}

std::vector<pid_t> threads_of_process() {
    std::vector<pid_t> all;
    DIR* const folder = opendir("/proc/self/task");
    if (!folder) return all;
    while (const dirent* const entry = readdir(folder)) {
        const std::string_view name = entry->d_name;
        pid_t thread = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), thread);
        if (error == std::errc() && end == name.data() + name.size()) all.push_back(thread);
    }
    closedir(folder);
    return all;
}

void start_timer(timer_t timer) noexcept {
    const timespec period{.tv_sec = 0, .tv_nsec = cpu_sampler::period};
    const itimerspec each{.it_interval = period, .it_value = period};
    timer_settime(timer, 0, &each, nullptr);
}

}  // namespace

struct cpu_sampler::buffer {
    explicit buffer(labeler l)
        : label(l),
          size(slots_for(std::max(1U, std::thread::hardware_concurrency()))),
          slots(std::make_unique<slot[]>(size)) {}

    const labeler label;
    const std::size_t size;
    const std::unique_ptr<slot[]> slots;
    std::atomic<std::size_t> next = 0;
    std::atomic<std::int64_t> dropped = 0;

    void record(const siginfo_t& info, void* context) noexcept;
};

namespace {

// A signal handler finds the sampler here. The handler of SIGPROF stays installed after the first profile: the default
// action for a late signal would end the process.
struct shared_with_handler {
    std::atomic<void*> active = nullptr;  // a `cpu_sampler::buffer`
    std::atomic<int> handlers = 0;        // running now
    std::atomic<bool> taken = false;      // by a sampler
};
constinit shared_with_handler shared;

// Buffers to which a handler may still write. Used only by the owner of `shared.taken`.
std::vector<std::shared_ptr<void>>& retired_buffers() {
    static auto* const made = new std::vector<std::shared_ptr<void>>;
    return *made;
}

}  // namespace

void cpu_sampler::buffer::record(const siginfo_t& info, void* context) noexcept {
    const std::int64_t weight = 1 + info.si_overrun;
    slot& s = slots[next.fetch_add(1, std::memory_order_relaxed) % size];
    int free = slot::free;
    if (!s.state.compare_exchange_strong(free, slot::taken, std::memory_order_acquire)) {
        dropped.fetch_add(weight, std::memory_order_relaxed);
        return;
    }
    s.thread = gettid();
    s.weight = weight;
    s.frames = capture_stack(context, s.stack);
    s.label_size = 0;
    // Other code of the process may have damaged what the label is read from.
    const auto add_label = [](void* of) noexcept {
        auto& [function, to] = *static_cast<std::pair<labeler, slot*>*>(of);
        to->label_size = function(std::span<char>(to->label));
    };
    std::pair<labeler, slot*> labeled(label, &s);
    if (label && !survives(add_label, &labeled)) s.label_size = 0;
    s.state.store(slot::full, std::memory_order_release);
}

namespace {

template <class Buffer>
void tick(int, siginfo_t* info, void* context) noexcept {
    const int saved = errno;
    shared.handlers.fetch_add(1);
    if (auto* to = static_cast<Buffer*>(shared.active.load()); to && info->si_code == SI_TIMER)
        to->record(*info, context);
    shared.handlers.fetch_sub(1);
    errno = saved;
}

// Handlers that start later do not find the buffers.
void delete_retired() noexcept {
    if (shared.handlers == 0) retired_buffers().clear();
}

// Returns whether SIGPROF calls this handler.
bool install(void (*handler)(int, siginfo_t*, void*)) noexcept {
    struct sigaction before{};
    if (sigaction(SIGPROF, nullptr, &before) != 0) return false;
    if (before.sa_flags & SA_SIGINFO) return before.sa_sigaction == handler;
    if (before.sa_handler != SIG_DFL) return false;
    struct sigaction ours{};
    ours.sa_sigaction = handler;
    ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    return sigaction(SIGPROF, &ours, nullptr) == 0;
}

}  // namespace

std::expected<std::unique_ptr<cpu_sampler>, std::string> cpu_sampler::start(labeler label) {
    auto made = std::make_unique<buffer>(label);  // before `taken` is set, since it may throw
    if (shared.taken.exchange(true)) return std::unexpected("another CPU profile is being recorded");
    if (!install(tick<buffer>)) {
        shared.taken = false;
        return std::unexpected("the program has its own handler for SIGPROF");
    }
    delete_retired();
    prepare_to_capture();
    std::unique_ptr<cpu_sampler> sampler(new cpu_sampler(std::move(made)));
    shared.active = sampler->buffer_.get();
    sampler->follow_threads();
    return sampler;
}

cpu_sampler::cpu_sampler(std::unique_ptr<buffer> b) : buffer_(std::move(b)) {}

cpu_sampler::~cpu_sampler() {
    for (auto& [id, thread] : threads_)
        if (thread.timer) timer_delete(*thread.timer);
    shared.active = nullptr;
    // A handler that runs now may still use the buffer. Waiting would block an event loop, so a later sampler deletes
    // it.
    retired_buffers().emplace_back(std::move(buffer_));
    delete_retired();
    shared.taken = false;
}

void cpu_sampler::follow_threads() {
    for (auto& [id, thread] : threads_) thread.seen = false;
    for (const pid_t id : threads_of_process()) {
        const auto [at, added] = threads_.try_emplace(id);
        at->second.seen = true;
        // Read each time: a new thread has the name of its creator until it sets its own.
        if (std::string name = name_of_thread(id); !name.empty()) at->second.name = std::move(name);
        if (!added) continue;
        sigevent event{};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = SIGPROF;
        event._sigev_un._tid = id;  // glibc 2.36 has no other name for it
        timer_t timer{};
        if (timer_create(cpu_clock_of(id), &event, &timer) != 0) continue;
        at->second.timer = timer;
        start_timer(timer);
    }
    std::erase_if(threads_, [this](const auto& entry) {
        const auto& [id, thread] = entry;
        if (thread.seen) return false;
        if (thread.timer) timer_delete(*thread.timer);
        ended_.insert_or_assign(id, thread.name);
        return true;
    });
}

void cpu_sampler::collect() {
    for (std::size_t i = 0; i < buffer_->size; ++i) {
        slot& s = buffer_->slots[i];
        if (s.state.load(std::memory_order_acquire) != slot::full) continue;
        key k{{s.stack, s.stack + s.frames}, {s.label, s.label_size}, s.thread};
        if (samples_.size() < max_stacks || samples_.contains(k)) samples_[std::move(k)] += s.weight;
        else dropped_ += s.weight;
        s.state.store(slot::free, std::memory_order_release);
    }
    follow_threads();
}

std::int64_t cpu_sampler::dropped() const noexcept { return dropped_ + buffer_->dropped; }

std::string cpu_sampler::thread_name(pid_t id) const {
    if (const auto at = threads_.find(id); at != threads_.end()) return at->second.name;
    const auto at = ended_.find(id);
    return at != ended_.end() ? at->second : std::string();
}

}  // namespace apus::profiling
