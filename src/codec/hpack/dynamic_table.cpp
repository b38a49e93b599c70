// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/dynamic_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

namespace apus::codec::hpack {
namespace {

constexpr std::uint32_t first_entries = 8, first_text = 192;

void copy(char* to, std::string_view text) noexcept {
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
}

}  // namespace

void dynamic_table::evict_to(std::uint32_t bytes) noexcept {
    while (size_ > bytes) {
        const item old = at(count_ - 1);
        size_ -= static_cast<std::uint32_t>(old.name.size() + old.value.size()) + around_entry;
        --count_;
    }
}

void dynamic_table::set_capacity(std::uint32_t bytes) noexcept {
    capacity_ = bytes;
    evict_to(bytes);
    if (bytes != 0) return;
    room_.reset();
    max_entries_ = max_text_ = tail_ = 0;
}

// Copies the table to new memory. Entries keep their numbers, so the ring may have any size.
void dynamic_table::move_to(std::uint32_t max_entries, std::uint32_t max_text) {
    const std::uint32_t begin = live_begin(), live = tail_ - begin;
    auto room = std::make_unique_for_overwrite<char[]>(max_entries * sizeof(entry) + max_text);
    auto* to = reinterpret_cast<entry*>(room.get());
    for (std::uint32_t number = oldest(); number != inserted_; ++number) {
        entry moved = entry_at(number);
        moved.at = static_cast<std::uint16_t>(moved.at - begin);
        to[number & (max_entries - 1)] = moved;
    }
    copy(room.get() + max_entries * sizeof(entry), {room_ ? text() + begin : nullptr, live});
    room_ = std::move(room);
    max_entries_ = max_entries;
    max_text_ = max_text;
    tail_ = live;
}

// Makes room for another entry with this many bytes of text.
void dynamic_table::make_room(std::uint32_t text_size) {
    const std::uint32_t begin = live_begin(), live = tail_ - begin;
    const bool crowded = live + text_size > max_text_ / 4 * 3 && max_text_ < max_size;
    if (crowded || count_ == max_entries_) {
        const std::uint32_t max_entries = count_ == max_entries_ ? std::max(first_entries, 2 * count_) : max_entries_;
        const std::uint32_t wanted = std::max({first_text, 2 * max_text_, (live + text_size + 63) / 64 * 64});
        return move_to(max_entries, crowded ? std::min(wanted, max_size) : max_text_);
    }
    std::memmove(text(), text() + begin, live);
    for (std::uint32_t number = oldest(); number != inserted_; ++number) {
        entry& e = entry_at(number);
        e.at = static_cast<std::uint16_t>(e.at - begin);
    }
    tail_ = live;
}

bool dynamic_table::insert(const item& field) {
    const std::size_t size = field.name.size() + field.value.size() + around_entry;
    if (size > capacity_) {
        evict_to(0);
        return false;
    }
    evict_to(capacity_ - static_cast<std::uint32_t>(size));
    std::string_view name = field.id == fields::field_id::unknown ? field.name : std::string_view();
    const auto text_size = static_cast<std::uint32_t>(name.size() + field.value.size());
    char kept[max_size];
    if (count_ == max_entries_ || tail_ + text_size > max_text_) {
        // Copies the name first, because it may be in the memory of an evicted entry, which is overwritten (RFC 7541,
        // 4.4).
        const std::less<const char*> before;
        if (room_ && !before(name.data(), text()) && before(name.data(), text() + max_text_)) {
            copy(kept, name);
            name = {kept, name.size()};
        }
        make_room(text_size);
    }
    entry_at(inserted_) = {static_cast<std::uint16_t>(tail_), static_cast<std::uint16_t>(name.size()),
                           static_cast<std::uint16_t>(field.value.size()), field.id, field.marks};
    copy(text() + tail_, name);
    copy(text() + tail_ + name.size(), field.value);
    tail_ += text_size;
    size_ += static_cast<std::uint32_t>(size);
    ++inserted_;
    ++count_;
    return true;
}

void dynamic_table::shrink() {
    const std::uint32_t max_entries = std::bit_ceil(count_), max_text = (tail_ - live_begin() + 15) / 16 * 16;
    if (max_entries * sizeof(entry) + max_text >= memory()) return;
    if (count_ != 0) return move_to(max_entries, max_text);
    room_.reset();
    max_entries_ = max_text_ = tail_ = 0;
}

}  // namespace apus::codec::hpack
