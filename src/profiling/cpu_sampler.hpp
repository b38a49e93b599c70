// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

namespace apus::profiling {

/// Samples the stacks of all threads of the process, each after every 10 ms of CPU time.
/// Each thread has a timer of its own CPU clock, which sends SIGPROF to it. Only one sampler exists at a time; its
/// functions are for one thread. Without a sampler, the process has no timer, and nothing is recorded.
class cpu_sampler {
public:
    static constexpr std::int64_t period = 10'000'000;  ///< Nanoseconds of CPU time between two samples of a thread.

    /// Writes the label of a sample and returns its size.
    /// Called in a signal handler on the sampled thread.
    using labeler = std::size_t (*)(std::span<char> to) noexcept;

    /// Starts to sample.
    /// Returns a message if another sampler exists, or if the program has a handler for SIGPROF.
    static std::expected<std::unique_ptr<cpu_sampler>, std::string> start(labeler);
    cpu_sampler(const cpu_sampler&) = delete;
    cpu_sampler& operator=(const cpu_sampler&) = delete;
    ~cpu_sampler();  ///< Ends the sampling.

    /// Adds the recorded samples to `samples()`, and samples threads that have started meanwhile.
    /// Call it every 100 ms: more samples than the buffer holds are dropped.
    void collect();

    /// Samples with the same stack, label and thread.
    struct key {
        std::vector<std::uintptr_t> stack;  ///< Innermost function first.
        std::string label;
        pid_t thread;
        auto operator<=>(const key&) const = default;
    };
    const std::map<key, std::int64_t>& samples() const noexcept { return samples_; }
    /// Samples that are in no stack, since a buffer was full.
    std::int64_t dropped() const noexcept;
    /// Returns the name of a sampled thread.
    std::string thread_name(pid_t) const;

private:
    struct buffer;
    struct sampled_thread {
        std::optional<void*> timer{};  // a `timer_t`; empty if the kernel refused it
        std::string name{};
        bool seen = false;
    };

    explicit cpu_sampler(std::unique_ptr<buffer>);
    void follow_threads();

    std::unique_ptr<buffer> buffer_;
    std::map<pid_t, sampled_thread> threads_;
    std::map<pid_t, std::string> ended_;
    std::map<key, std::int64_t> samples_;
    std::int64_t dropped_ = 0;
};

}  // namespace apus::profiling
