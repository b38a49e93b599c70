// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace apus::base {

/// A list that allocates memory only for more than `Few` items.
template <class T, std::size_t Few>
class short_vector {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    short_vector() = default;
    short_vector(const short_vector&) = delete;
    short_vector& operator=(const short_vector&) = delete;

    std::size_t size() const noexcept { return size_; }
    /// The span is valid until the list changes.
    std::span<const T> all() const noexcept { return {size_ <= Few ? few_ : many_.data(), size_}; }
    T& back() noexcept { return size_ <= Few ? few_[size_ - 1] : many_.back(); }

    void push_back(const T& item) {
        if (size_ < Few) {
            few_[size_] = item;
        } else {
            if (size_ == Few) many_.assign(few_, few_ + Few);
            many_.push_back(item);
        }
        ++size_;
    }
    void clear() noexcept {
        many_.clear();
        size_ = 0;
    }

private:
    T few_[Few] = {};
    std::vector<T> many_;  // all items if there are more than `Few`
    std::size_t size_ = 0;
};

}  // namespace apus::base
