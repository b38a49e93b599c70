// SPDX-License-Identifier: Apache-2.0
#include "profiling/profile.hpp"

#include "codec/protobuf/writer.hpp"

#include <algorithm>
#include <array>

namespace apus::profiling {
namespace {

using codec::protobuf::append_bytes;
using codec::protobuf::append_signed;
using codec::protobuf::append_unsigned;

// Field numbers of profile.proto.
namespace of_profile {
enum : std::uint32_t {
    sample_type = 1,
    sample = 2,
    mapping = 3,
    location = 4,
    function = 5,
    string_table = 6,
    time_nanos = 9,
    duration_nanos = 10,
    period_type = 11,
    period = 12,
    comment = 13
};
}  // namespace of_profile
namespace of_sample {
enum : std::uint32_t {
    location_id = 1,
    value = 2,
    label = 3
};
}  // namespace of_sample
namespace of_label {
enum : std::uint32_t {
    key = 1,
    str = 2
};
}  // namespace of_label
namespace of_mapping {
enum : std::uint32_t {
    id = 1,
    memory_start = 2,
    memory_limit = 3,
    file_offset = 4,
    filename = 5,
    build_id = 6,
    has_functions = 7
};
}  // namespace of_mapping
namespace of_location {
enum : std::uint32_t {
    id = 1,
    mapping_id = 2,
    address = 3,
    line = 4
};
}  // namespace of_location
namespace of_function {
enum : std::uint32_t {
    id = 1,
    name = 2,
    system_name = 3
};
}  // namespace of_function
constexpr std::uint32_t function_id_of_line = 1;

std::string pair_of(std::uint64_t first, std::uint64_t second) {
    std::string made;
    append_unsigned(made, 1, first);
    append_unsigned(made, 2, second);
    return made;
}

void append_little_endian(std::string& to, std::uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i));
}

// CRC-32 of RFC 1952.
std::uint32_t checksum(std::string_view bytes) noexcept {
    static constexpr auto table = [] {
        std::array<std::uint32_t, 256> made{};
        for (std::uint32_t i = 0; i < made.size(); ++i) {
            std::uint32_t c = i;
            for (int bit = 0; bit < 8; ++bit) c = c & 1U ? 0xedb88320U ^ (c >> 1U) : c >> 1U;
            made[i] = c;
        }
        return made;
    }();
    std::uint32_t c = ~0U;
    for (const char b : bytes) c = table[(c ^ static_cast<unsigned char>(b)) & 0xffU] ^ (c >> 8U);
    return ~c;
}

}  // namespace

profile::profile(std::span<const value_type> values, symbols& names) : symbols_(names) {
    text("");  // the first text must be empty
    for (const auto& v : values) append_bytes(message_, of_profile::sample_type, pair_of(text(v.type), text(v.unit)));
}

std::uint64_t profile::text(std::string_view s) {
    const auto known = texts_.find(s);
    if (known != texts_.end()) return known->second;
    const auto added = texts_.emplace(s, texts_in_order_.size()).first;
    texts_in_order_.push_back(added->first);
    return added->second;
}

std::uint64_t profile::function(std::string_view mangled) {
    const auto known = functions_.find(mangled);
    if (known != functions_.end()) return known->second;
    const std::uint64_t number = functions_.size() + 1;
    functions_.emplace(mangled, number);
    std::string made;
    append_unsigned(made, of_function::id, number);
    append_unsigned(made, of_function::name, text(demangled(mangled)));
    append_unsigned(made, of_function::system_name, text(mangled));
    append_bytes(message_, of_profile::function, made);
    return number;
}

std::uint64_t profile::module_number(const symbols::module& m) {
    const auto [at, added] = modules_.emplace(&m, modules_.size() + 1);
    if (!added) return at->second;
    std::string made;
    append_unsigned(made, of_mapping::id, at->second);
    append_unsigned(made, of_mapping::memory_start, m.start);
    append_unsigned(made, of_mapping::memory_limit, m.end);
    append_unsigned(made, of_mapping::file_offset, m.offset);
    append_unsigned(made, of_mapping::filename, text(m.path));
    append_unsigned(made, of_mapping::build_id, text(m.build_id));
    append_unsigned(made, of_mapping::has_functions, m.named);
    append_bytes(message_, of_profile::mapping, made);
    return at->second;
}

std::uint64_t profile::location(std::uintptr_t address) {
    const auto [at, added] = locations_.emplace(address, 0);
    if (!added) return at->second;
    const auto* const in = symbols_.module_of(address);
    if (!in) return 0;
    at->second = next_location_++;
    std::string made;
    append_unsigned(made, of_location::id, at->second);
    append_unsigned(made, of_location::mapping_id, module_number(*in));
    append_unsigned(made, of_location::address, address);
    if (const auto name = symbols_.name_of(address); !name.empty()) {
        std::string line;
        append_unsigned(line, function_id_of_line, function(name));
        append_bytes(made, of_location::line, line);
    }
    append_bytes(message_, of_profile::location, made);
    return at->second;
}

void profile::append_sample(std::span<const std::uint64_t> locations, std::span<const std::int64_t> numbers,
                            std::span<const label> labels) {
    std::string made;
    for (const auto id : locations) append_unsigned(made, of_sample::location_id, id);
    for (const auto n : numbers) append_signed(made, of_sample::value, n);
    for (const auto& l : labels) {
        if (l.text.empty()) continue;
        std::string pair;
        append_unsigned(pair, of_label::key, text(l.key));
        append_unsigned(pair, of_label::str, text(l.text));
        append_bytes(made, of_sample::label, pair);
    }
    append_bytes(message_, of_profile::sample, made);
}

void profile::add(std::span<const std::uintptr_t> stack, std::span<const std::int64_t> numbers,
                  std::span<const label> labels) {
    std::vector<std::uint64_t> locations;
    for (const auto address : stack)
        if (const auto id = location(address)) locations.push_back(id);
    append_sample(locations, numbers, labels);
}

void profile::add(std::string_view name, std::span<const std::int64_t> numbers, std::span<const label> labels) {
    const std::uint64_t id = next_location_++;
    std::string line, made;
    append_unsigned(line, function_id_of_line, function(name));
    append_unsigned(made, of_location::id, id);
    append_bytes(made, of_location::line, line);
    append_bytes(message_, of_profile::location, made);
    append_sample({&id, 1}, numbers, labels);
}

void profile::comment(std::string_view s) { append_unsigned(message_, of_profile::comment, text(s)); }

void profile::period(value_type what, std::int64_t value) {
    append_bytes(message_, of_profile::period_type, pair_of(text(what.type), text(what.unit)));
    append_signed(message_, of_profile::period, value);
}

void profile::time(std::int64_t unix_nanoseconds, std::int64_t nanoseconds) {
    append_signed(message_, of_profile::time_nanos, unix_nanoseconds);
    append_signed(message_, of_profile::duration_nanos, nanoseconds);
}

std::string profile::finish() && {
    for (const auto s : texts_in_order_) append_bytes(message_, of_profile::string_table, s);
    return stored_gzip(message_);
}

std::string stored_gzip(std::string_view bytes) {
    constexpr std::string_view head("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);  // deflate, no name, no time
    constexpr std::size_t largest_block = 65'535;
    std::string made(head);
    std::string_view rest = bytes;
    do {
        const std::string_view block = rest.substr(0, largest_block);
        rest.remove_prefix(block.size());
        const auto size = static_cast<std::uint32_t>(block.size());
        made += static_cast<char>(rest.empty() ? 1 : 0);  // whether it is the last block; type 0: stored
        append_little_endian(made, size, 2);
        append_little_endian(made, ~size, 2);
        made += block;
    } while (!rest.empty());
    append_little_endian(made, checksum(bytes), 4);
    append_little_endian(made, static_cast<std::uint32_t>(bytes.size()), 4);
    return made;
}

}  // namespace apus::profiling
