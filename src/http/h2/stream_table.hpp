// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/h2/exchange.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace apus::http::h2 {

/// Hash table of exchanges by stream identifier. Identifiers are ascending, so collisions are rare.
class stream_table {
public:
    h2_exchange* find(std::uint32_t stream) const noexcept {
        if (!count_) return nullptr;
        for (std::uint32_t at = home(stream); slots_[at]; at = (at + 1) & mask_)
            if (slots_[at]->stream == stream) return slots_[at];
        return nullptr;
    }

    /// Inserts `x`, whose stream must not be in the table.
    void insert(h2_exchange& x) {
        if ((count_ + 1) * 2 > size()) grow();
        ++count_;
        place(x);
    }

    void erase(const h2_exchange& x) noexcept {
        std::uint32_t hole = home(x.stream);
        while (slots_[hole] != &x) hole = (hole + 1) & mask_;
        --count_;
        slots_[hole] = nullptr;
        displaced_ -= hole != home(x.stream);
        // Closes the gap: moves following entries that are not in their home slot toward it. Streams that are open at
        // the same time mostly have consecutive identifiers, and none is displaced.
        if (displaced_) close_gap(hole);
    }

    /// Releases the memory of an empty table.
    void release() noexcept {
        slots_.reset();
        mask_ = 0;
    }
    std::size_t memory() const noexcept { return size() * sizeof(h2_exchange*); }

private:
    std::uint32_t size() const noexcept { return slots_ ? mask_ + 1 : 0; }
    std::uint32_t home(std::uint32_t stream) const noexcept { return stream >> 1 & mask_; }
    void place(h2_exchange& x) noexcept {
        std::uint32_t at = home(x.stream);
        displaced_ += slots_[at] != nullptr;
        while (slots_[at]) at = (at + 1) & mask_;
        slots_[at] = &x;
    }
    void close_gap(std::uint32_t hole) noexcept {
        for (std::uint32_t at = (hole + 1) & mask_; slots_[at]; at = (at + 1) & mask_) {
            const std::uint32_t distance = (at - home(slots_[at]->stream)) & mask_;
            if (distance < ((at - hole) & mask_)) continue;
            displaced_ -= distance == ((at - hole) & mask_);
            slots_[hole] = std::exchange(slots_[at], nullptr);
            hole = at;
        }
    }
    void grow() {
        constexpr std::uint32_t least = 8;
        const std::uint32_t before = size(), after = before ? before * 2 : least;
        auto old = std::exchange(slots_, std::make_unique<h2_exchange*[]>(after));
        mask_ = after - 1;
        displaced_ = 0;
        for (std::uint32_t i = 0; i < before; ++i)
            if (old[i]) place(*old[i]);
    }

    std::unique_ptr<h2_exchange*[]> slots_;
    std::uint32_t mask_ = 0, count_ = 0;
    std::uint32_t displaced_ = 0;  // entries that are not in their home slot
};

}  // namespace apus::http::h2
