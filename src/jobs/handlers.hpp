// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/jobs.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace apus::jobs {

/// A handler with its options.
class handler {
public:
    handler(detail::job_type type, detail::erased_handler call, const handler_options& how)
        : name_(type.name), type_{name_, type.version}, call_(call), how_(how) {}
    handler(const handler&) = delete;
    handler& operator=(const handler&) = delete;
    ~handler() { call_.destroy(call_.self); }

    const detail::job_type& type() const noexcept { return type_; }
    const handler_options& how() const noexcept { return how_; }
    task<> run(std::string_view payload, context& c) const { return call_.run(call_.self, payload, c); }

private:
    std::string name_;
    detail::job_type type_;
    detail::erased_handler call_;
    handler_options how_;
};

/// The handlers of a queue.
class handler_list {
public:
    /// Takes ownership of `call`. Throws the exceptions of `queue::handle`.
    void add(detail::job_type, detail::erased_handler call, const handler_options&);
    const handler* find(std::string_view kind) const noexcept;
    bool empty() const noexcept { return all_.empty(); }
    const std::vector<std::string>& limited() const noexcept { return limited_; }  ///< Kinds with `concurrency`.
    const std::vector<std::string>& unlimited() const noexcept { return unlimited_; }
    /// Destroys the handlers. Call only when no job runs.
    void clear() noexcept { all_.clear(), limited_.clear(), unlimited_.clear(); }

private:
    std::vector<std::unique_ptr<handler>> all_;
    std::vector<std::string> limited_, unlimited_;
};

/// Returns the delay after the failed attempt number `attempt`, in milliseconds.
/// `random`: from 0 to 1.
std::int64_t retry_delay(const handler_options&, std::int64_t attempt, double random) noexcept;

}  // namespace apus::jobs
