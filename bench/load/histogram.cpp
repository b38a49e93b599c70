// SPDX-License-Identifier: Apache-2.0
#include "histogram.hpp"

#include <cmath>

namespace load {

std::uint64_t histogram::highest_in(std::size_t index) {
    if (index < (2U << bits)) return index;
    const std::size_t shift = (index >> bits) - 1;
    const std::uint64_t top = index - (shift << bits);
    return ((top + 1) << shift) - 1;
}

void histogram::add(const histogram& other) {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
    sum_ += other.sum_;
    max_ = std::max(max_, other.max_);
}

histogram histogram::corrected(std::uint64_t interval) const {
    histogram all = *this;
    if (interval == 0) return all;
    for (std::size_t i = index(std::min(interval, longest)); i < counts_.size(); ++i) {
        if (counts_[i] == 0) continue;
        const std::uint64_t value = std::min(highest_in(i), max_);
        for (std::uint64_t less = interval; value >= less + interval; less += interval)
            all.record(value - less, counts_[i]);
    }
    return all;
}

std::uint64_t histogram::at(double percent) const {
    const auto wanted = std::max<std::uint64_t>(1, std::uint64_t(std::ceil(double(total_) * percent / 100)));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size() && total_ > 0; ++i) {
        seen += counts_[i];
        if (seen >= wanted) return std::min(highest_in(i), max_);
    }
    return max_;
}

}  // namespace load
