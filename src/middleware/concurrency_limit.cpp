// SPDX-License-Identifier: Apache-2.0
#include <apus/concurrency_limit.hpp>

#include "middleware/async_semaphore.hpp"
#include "middleware/middleware_counts.hpp"

#include <apus/stream.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace apus {

struct concurrency_limit::parts {
    explicit parts(const concurrency_limit_options& o) : how(o), semaphore(o.running, o.waiting) {}

    const concurrency_limit_options how;
    middleware::async_semaphore semaphore;
};

namespace {

using middleware::async_semaphore;

// A streamed body that holds a permit until the body ends.
struct holding {
    detail::producer inner;
    async_semaphore::permit permit;

    holding(detail::producer p, async_semaphore::permit held) noexcept : inner(p), permit(std::move(held)) {}
    holding(const holding&) = delete;
    holding& operator=(const holding&) = delete;
    ~holding() { inner.destroy(inner.self); }
};

void hold(response& res, async_semaphore::permit permit) {
    if (!res.streams()) return;
    auto& inner = res.producer();
    auto* held = new holding(inner, std::move(permit));
    inner = {held,
             [](void* self, request& req, detail::writer_core& out) {
                 auto& p = static_cast<holding*>(self)->inner;
                 return p.run(p.self, req, out);
             },
             [](void* self) { delete static_cast<holding*>(self); }, inner.size};
}

void refuse(response& out, duration retry_after, middleware::concurrency_cell why) {
    middleware::counts_of(middleware::concurrency_counts).add(why);
    const auto wait = (retry_after.nanoseconds() + 999'999'999) / 1'000'000'000;
    detail::refuse(error(503, "too many requests in progress").expose(), out);
    out.header("Retry-After", std::to_string(wait));
}

task<response> finish(async_semaphore::permit permit, pending_response behind) {
    response res = co_await std::move(behind);
    hold(res, std::move(permit));
    co_return res;
}

task<response> wait_for_permit(async_semaphore& semaphore, const concurrency_limit_options& how, next_handler rest,
                               request& req) {
    async_semaphore::acquire_awaiter awaiter(semaphore, static_cast<std::uint64_t>(how.wait.milliseconds()));
    async_semaphore::permit permit = co_await awaiter;
    if (!permit) {
        response out;
        refuse(out, how.retry_after, middleware::refused_late);
        co_return out;
    }
    response res = co_await rest(req);
    hold(res, std::move(permit));
    co_return res;
}

}  // namespace

concurrency_limit::concurrency_limit() : concurrency_limit(concurrency_limit_options()) {}

concurrency_limit::concurrency_limit(const concurrency_limit_options& how) {
    if (how.running < 1) throw std::invalid_argument("concurrency_limit: `running` must be at least 1");
    if (how.wait < milliseconds(1)) throw std::invalid_argument("concurrency_limit: `wait` must be at least 1 ms");
    if (how.retry_after < duration())
        throw std::invalid_argument("concurrency_limit: `retry_after` must not be negative");
    parts_ = new parts(how);
}

concurrency_limit::concurrency_limit(const concurrency_limit& other) : parts_(new parts(other.parts_->how)) {}
concurrency_limit::~concurrency_limit() { delete parts_; }

pending_response concurrency_limit::operator()(request& req, response& out, next_handler rest) const {
    auto& semaphore = parts_->semaphore;
    if (auto permit = semaphore.try_acquire()) {
        pending_response behind = rest.run(req, out);
        if (behind) return finish(std::move(permit), std::move(behind));
        hold(out, std::move(permit));
        return {};
    }
    if (semaphore.full()) {
        refuse(out, parts_->how.retry_after, middleware::refused_full);
        return {};
    }
    return wait_for_permit(semaphore, parts_->how, rest, req);
}

}  // namespace apus
