// SPDX-License-Identifier: Apache-2.0
#include <apus/password.hpp>

#include "crypto/argon2id.hpp"

#include <apus/blocking.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <stdexcept>

namespace apus {
namespace {

using crypto::argon2id_cost;

constexpr std::size_t longest_password = 1'024;
constexpr std::uint32_t max_memory = 1'048'576, max_passes = 16;
constexpr duration between_looks = milliseconds(2);  // a tenth of the time that one hash takes

// A slot for one hash computation. The slot belongs to the computation, which uses memory until it ends, even if the
// waiting task was cancelled. So a thread of the blocking pool may release the slot.
class hash_slot {
public:
    explicit hash_slot(std::shared_ptr<std::atomic<unsigned>> of) noexcept : running_(std::move(of)) {}
    hash_slot(hash_slot&&) noexcept = default;
    hash_slot& operator=(hash_slot&&) = delete;
    ~hash_slot() {
        if (running_) running_->fetch_sub(1, std::memory_order_release);
    }

    static bool take(std::atomic<unsigned>& running, unsigned most) noexcept {
        unsigned now = running.load(std::memory_order_relaxed);
        while (now < most)
            if (running.compare_exchange_weak(now, now + 1, std::memory_order_acquire)) return true;
        return false;
    }

private:
    std::shared_ptr<std::atomic<unsigned>> running_;
};

class in_line {
public:
    explicit in_line(std::atomic<unsigned>& waiting) noexcept : waiting_(waiting), place_(waiting.fetch_add(1)) {}
    in_line(const in_line&) = delete;
    in_line& operator=(const in_line&) = delete;
    ~in_line() { waiting_.fetch_sub(1); }
    unsigned position() const noexcept { return place_; }

private:
    std::atomic<unsigned>& waiting_;
    unsigned place_;
};

// Returns whether the parameters meet one of the recommendations by OWASP, in which less memory requires more passes.
bool meets_minimum(const password_hasher_options& how) noexcept {
    static constexpr std::uint32_t memory_for[] = {47'104, 19'456, 12'288, 9'216, 7'168};
    return how.memory >= memory_for[std::min<std::uint32_t>(how.passes, std::size(memory_for)) - 1];
}

void check(const password_hasher_options& how) {
    if (how.passes < 1 || how.passes > max_passes)
        throw std::invalid_argument("password_hasher: passes must be from 1 to 16");
    if (how.memory > max_memory) throw std::invalid_argument("password_hasher: memory must be at most 1048576 KiB");
    if (!meets_minimum(how))
        throw std::invalid_argument(
            "password_hasher: too little memory for this number of passes; 19456 KiB with 2 passes suffice");
    if (how.running == 0) throw std::invalid_argument("password_hasher: running must be at least 1");
}

}  // namespace

struct password_hasher::parts {
    password_hasher_options how;
    argon2id_cost cost;
    std::string dummy_hash;
    std::shared_ptr<std::atomic<unsigned>> running = std::make_shared<std::atomic<unsigned>>(0);
    std::atomic<unsigned> waiting{0};
    std::atomic<std::uint32_t> owners{1};

    explicit parts(const password_hasher_options& o)
        : how(o), cost{o.memory, o.passes}, dummy_hash(crypto::argon2id_of_nobody(cost)) {}

    task<hash_slot> wait_for_slot() {
        if (hash_slot::take(*running, how.running)) co_return hash_slot(running);
        const in_line here(waiting);
        if (here.position() >= how.waiting) co_await fail(503, "too many password checks are waiting").expose();
        for (duration waited;;
             waited = duration::from_nanoseconds(waited.nanoseconds() + between_looks.nanoseconds())) {
            if (hash_slot::take(*running, how.running)) co_return hash_slot(running);
            if (waited >= how.wait) co_await fail(503, "the password check took too long").expose();
            co_await sleep_for(between_looks);
        }
    }
};

password_hasher::password_hasher() : password_hasher(password_hasher_options()) {}

password_hasher::password_hasher(const password_hasher_options& how) : parts_(nullptr) {
    check(how);
    parts_ = detail::shared<password_hasher, parts>(new parts(how));
}

void password_hasher::keep(parts* p) noexcept { p->owners.fetch_add(1, std::memory_order_relaxed); }
void password_hasher::let_go(parts* p) noexcept {
    if (p->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p;
}

task<std::string> password_hasher::hash(std::string password) const {
    const auto of = parts_;
    if (password.empty() || password.size() > longest_password)
        co_await fail(422, "a password must have 1 to 1024 bytes");
    hash_slot mine = co_await of->wait_for_slot();
    auto work = [held = std::move(mine), text = std::move(password), cost = of->cost] {
        return crypto::argon2id(text, cost);
    };
    co_return co_await blocking(owning(std::move(work)));
}

task<password_verdict> password_hasher::verify(std::string password, std::string kept) const {
    const auto of = parts_;
    const bool possible = !kept.empty() && !password.empty() && password.size() <= longest_password;
    if (kept.empty()) kept = of->dummy_hash;
    if (!possible) password.assign("unknown");
    const auto cost = crypto::argon2id_cost_of(kept);
    if (!cost || cost->memory > max_memory || cost->passes > max_passes)
        co_await fail(500, "the stored password hash is not an argon2id hash with at most 1 GiB and 16 passes");
    hash_slot mine = co_await of->wait_for_slot();
    auto work = [held = std::move(mine), text = std::move(password), against = std::move(kept)] {
        return crypto::is_argon2id_of(against, text);
    };
    const bool same = co_await blocking(owning(std::move(work)));
    password_verdict verdict;
    verdict.correct = same && possible;
    verdict.outdated = verdict.correct && *cost != of->cost;
    co_return verdict;
}

}  // namespace apus
