// SPDX-License-Identifier: Apache-2.0
#include "web/text_table.hpp"

#include <algorithm>
#include <cstring>

namespace apus::web {
namespace {

// Any odd number with evenly distributed one bits works; this is 2^64 divided by the golden ratio.
constexpr std::uint64_t spread = 0x9e37'79b9'7f4a'7c15;

template <class Word>
std::uint64_t word_at(const char* bytes) noexcept {
    Word w;
    std::memcpy(&w, bytes, sizeof w);
    return w;
}

// Uses the upper half of the product: a bit of the lower half does not depend on higher bits of the factors.
std::uint64_t mix(std::uint64_t hash, std::uint64_t word) noexcept {
    hash = (hash ^ word) * spread;
    return hash ^ hash >> 32;
}

// Hashes eight bytes at a time. The last word may overlap the previous word, so no loop over single bytes is needed.
std::uint64_t hash_of(std::uint32_t owner, std::string_view text) noexcept {
    const char* at = text.data();
    std::size_t left = text.size();
    std::uint64_t hash = mix(left, owner);
    if (left >= 8) {
        for (; left > 8; left -= 8, at += 8) hash = mix(hash, word_at<std::uint64_t>(at));
        return mix(hash, word_at<std::uint64_t>(at + left - 8));
    }
    if (left >= 4) return mix(hash, word_at<std::uint32_t>(at) << 32 | word_at<std::uint32_t>(at + left - 4));
    std::uint64_t last = 0;
    for (; left > 0; --left) last = last << 8 | word_at<std::uint8_t>(at++);
    return mix(hash, last);
}

// Whether `size` bytes are equal. A call of memcmp would cost more than comparing a usual path.
bool are_equal(const char* a, const char* b, std::size_t size) noexcept {
    if (size >= 8) {
        for (std::size_t at = 0; at + 8 < size; at += 8)
            if (word_at<std::uint64_t>(a + at) != word_at<std::uint64_t>(b + at)) return false;
        return word_at<std::uint64_t>(a + size - 8) == word_at<std::uint64_t>(b + size - 8);
    }
    if (size >= 4)
        return word_at<std::uint32_t>(a) == word_at<std::uint32_t>(b) &&
               word_at<std::uint32_t>(a + size - 4) == word_at<std::uint32_t>(b + size - 4);
    for (std::size_t at = 0; at < size; ++at)
        if (a[at] != b[at]) return false;
    return true;
}

// The lower half is the index; the upper half is compared before the text.
std::uint32_t upper_half(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

// Returns the entry of the text, or the free entry for it. There is always a free entry.
std::size_t text_table::place_of(std::uint64_t hash, std::uint32_t owner, std::string_view text) const noexcept {
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
        const entry& e = entries_[i];
        if (e.value == absent) return i;
        if (e.hash != upper_half(hash) || e.owner != owner) continue;
        const std::string_view known = text_at(e.at);
        if (known.size() == text.size() && are_equal(known.data(), text.data(), text.size())) return i;
    }
}

std::string_view text_table::text_at(std::uint32_t at) const noexcept {
    std::uint32_t size;
    std::memcpy(&size, texts_.data() + at, sizeof size);
    return {texts_.data() + at + sizeof size, size};
}

std::uint32_t text_table::find(std::uint32_t owner, std::string_view text) const noexcept {
    if (empty()) return absent;
    return entries_[place_of(hash_of(owner, text), owner, text)].value;
}

std::uint32_t text_table::add(std::uint32_t owner, std::string_view text, std::uint32_t value) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    const std::uint64_t hash = hash_of(owner, text);
    entry& e = entries_[place_of(hash, owner, text)];
    if (e.value != absent) return e.value;
    const auto at = static_cast<std::uint32_t>(texts_.size());
    const auto size = static_cast<std::uint32_t>(text.size());
    texts_.append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
    e = {upper_half(hash), owner, value, at};
    ++count_;
    return value;
}

void text_table::grow() {
    std::vector<entry> before(std::max<std::size_t>(16, 2 * entries_.size()));
    before.swap(entries_);
    for (const entry& e : before)
        if (e.value != absent) entries_[place_of(hash_of(e.owner, text_at(e.at)), e.owner, text_at(e.at))] = e;
}

std::size_t text_table::longest_run() const noexcept {
    std::size_t longest = 0, run = 0;
    // Two passes, since a run may continue from the end to the beginning.
    for (std::size_t i = 0; i < 2 * entries_.size(); ++i) {
        run = entries_[i & (entries_.size() - 1)].value == absent ? 0 : run + 1;
        longest = std::max(longest, run);
    }
    return longest + 1;  // includes the free entry after the run
}

}  // namespace apus::web
