// SPDX-License-Identifier: Apache-2.0
#include "base/utf8_checker.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <cstring>

namespace apus::base {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) noexcept { return static_cast<unsigned char>(text[at]); }

std::size_t size_by_lead(unsigned lead) noexcept { return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4; }

// Returns the number of bytes at the end that begin an incomplete character, according to its lead byte.
std::size_t cut_at_end(std::string_view text) noexcept {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const unsigned byte = byte_at(text, text.size() - back);
        if (byte >= 0xc0) return size_by_lead(byte) > back ? back : 0;
        if (byte < 0x80) return 0;
    }
    return 0;
}

// Whether a valid character can begin with `cut`. Checks the smallest character that begins with these bytes.
bool may_begin(std::string_view cut) noexcept {
    const unsigned lead = byte_at(cut, 0);
    char whole[4] = {0,
                     static_cast<char>(lead == 0xe0   ? 0xa0
                                       : lead == 0xf0 ? 0x90
                                                      : 0x80),
                     static_cast<char>(0x80), static_cast<char>(0x80)};
    std::memcpy(whole, cut.data(), cut.size());
    return utf8_sequence({whole, size_by_lead(lead)}, 0) != 0;
}

}  // namespace

bool utf8_checker::append(std::string_view piece) noexcept {
    while (cut_size_ != 0 && !piece.empty()) {
        cut_[cut_size_++] = piece.front();
        piece.remove_prefix(1);
        const std::string_view cut(cut_, cut_size_);
        if (cut.size() == size_by_lead(byte_at(cut, 0))) {
            if (utf8_sequence(cut, 0) == 0) return false;
            cut_size_ = 0;
        } else if (!may_begin(cut)) {
            return false;
        }
    }
    const std::size_t cut = cut_at_end(piece);
    if (!is_utf8(piece.substr(0, piece.size() - cut))) return false;
    if (cut == 0) return true;
    std::memcpy(cut_, piece.data() + piece.size() - cut, cut);
    cut_size_ = static_cast<std::uint8_t>(cut);
    return may_begin({cut_, cut});
}

}  // namespace apus::base
