// SPDX-License-Identifier: Apache-2.0
// Header blocks of one connection, decoded by Apus and by nghttp2: both must return the same fields, or both must
// reject the block. The first byte of the input selects how blocks are split. A block is its size in one or
// two bytes, followed by its content. The size 0 changes the limit of the dynamic table instead.
#include "codec/hpack/errors.hpp"
#include "codec/hpack/oracle.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace {

using namespace apus;
using apus::fuzz::must;
using codec::hpack::step;

constexpr std::uint32_t max_list = 1U << 20;

step read_or_skip(codec::hpack::decoder& decoder, std::string_view& block, std::vector<char>& room, bool skip,
                  codec::hpack::field& f) {
    if (skip) return decoder.skip(block, f);
    const step got = decoder.next(block, room, f);
    if (got != step::no_room) return got;
    room.resize(f.need);
    return decoder.next(block, room, f);
}

// Checks that skipping a field does not affect the other fields.
void check_skipping(codec::hpack::decoder& decoder, std::string_view block, unsigned skipped,
                    const test::field_list& whole) {
    std::vector<char> room;  // null until a field needs it
    codec::hpack::field f;
    decoder.begin_block(max_list);
    std::size_t size = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const bool skip = skipped >> i % 8 & 1;
        must(read_or_skip(decoder, block, room, skip, f) == step::field, "a decoded field can be skipped");
        must(skip ? f.name.empty() && f.value.empty() : f.name == whole[i].name && f.value == whole[i].value,
             "skipping other fields does not change a field");
        size += whole[i].name.size() + whole[i].value.size() + 32;
        must(decoder.list_size() == size, "skipped fields count towards the list size");
    }
    must(decoder.skip(block, f) == step::end, "the block ends after the same number of fields");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    std::string_view in(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t piece = data[0] ? data[0] : size;
    codec::hpack::decoder decoder, skipping;
    test::oracle_decoder oracle;
    const auto next_byte = [&in]() -> std::size_t {
        if (in.empty()) return 0;
        const auto byte = static_cast<unsigned char>(in.front());
        in.remove_prefix(1);
        return byte;
    };
    while (!in.empty()) {
        std::size_t length = next_byte();
        if (length == 0) {
            const auto limit = static_cast<std::uint32_t>(next_byte() * 17 % 4097);
            decoder.set_table_limit(limit);
            skipping.set_table_limit(limit);
            oracle.set_table_limit(limit);
            continue;
        }
        if (length > 200) length = (length - 200) * 256 + next_byte();
        const std::string_view block = in.substr(0, length);
        in.remove_prefix(block.size());
        const auto ours = test::read_block(decoder, block, piece, 2 * block.size(), max_list);
        if (!ours && decoder.why() == &codec::hpack::errors::list_too_large) return 0;
        const auto theirs = oracle.read(block);
        must(ours.has_value() == theirs.has_value(), "both decoders accept a block, or both reject it");
        if (!ours) return 0;
        must(*ours == *theirs, "both decoders return the same fields");
        check_skipping(skipping, block, static_cast<unsigned>(piece), *ours);
        must(skipping.table_size() == decoder.table_size(), "skipped fields are added to the dynamic table");
        must(decoder.memory() <= 128 * 8 + 4096, "the memory of the dynamic table is limited");
        if (piece % 2) decoder.shrink();
    }
    return 0;
}
