// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace apus::postgres {

/// A queue that keeps its memory, unlike `std::deque`.
/// `push_back` and `pop_front` invalidate references.
template <class T>
class item_queue {
public:
    bool empty() const noexcept { return first_ == all_.size(); }
    std::size_t size() const noexcept { return all_.size() - first_; }
    T& front() noexcept { return all_[first_]; }
    const T& front() const noexcept { return all_[first_]; }
    T& back() noexcept { return all_.back(); }
    T& operator[](std::size_t i) noexcept { return all_[first_ + i]; }
    auto begin() noexcept { return all_.begin() + static_cast<std::ptrdiff_t>(first_); }
    auto end() noexcept { return all_.end(); }
    auto begin() const noexcept { return all_.begin() + static_cast<std::ptrdiff_t>(first_); }
    auto end() const noexcept { return all_.end(); }

    void push_back(const T& one) {
        // Moves at most as many items as were removed since the last move.
        if (first_ != 0 && all_.size() == all_.capacity() && 2 * first_ >= all_.size()) {
            all_.erase(all_.begin(), begin());
            first_ = 0;
        }
        all_.push_back(one);
    }
    void pop_front() {
        if (++first_ != all_.size()) return;
        first_ = 0;
        if (all_.capacity() > most_kept) std::vector<T>().swap(all_);
        else all_.clear();
    }

private:
    static constexpr std::size_t most_kept = 256;

    std::vector<T> all_;
    std::size_t first_ = 0;
};

}  // namespace apus::postgres
