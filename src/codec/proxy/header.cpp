// SPDX-License-Identifier: Apache-2.0
#include "codec/proxy/header.hpp"

#include "base/ascii.hpp"
#include "codec/proxy/ip_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

namespace apus::codec::proxy {
namespace {

using base::take_word;
using family = header::family;

constexpr std::string_view signature{"\r\n\r\n\0\r\nQUIT\n", 12};
constexpr std::string_view first_word = "PROXY ";

parsed<header> bad(const refusal& why) noexcept { return {outcome::bad, {}, 0, &why}; }
constexpr parsed<header> partial{outcome::partial};

std::optional<std::uint16_t> read_port(std::string_view text) noexcept {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    const bool leading_zero = text.size() > 1 && text[0] == '0';
    if (error != std::errc() || end != text.data() + text.size() || leading_zero) return std::nullopt;
    return port;
}

bool read_address(std::string_view text, family of, unsigned char* to) noexcept {
    return of == family::ip4 ? read_ip4(text, to) : read_ip6(text, to);
}

parsed<header> read_line(std::string_view in) noexcept {
    const std::size_t end = in.substr(0, longest_line).find('\n');
    if (end == in.npos) return in.size() < longest_line ? partial : bad(long_header);
    if (in[end - 1] != '\r') return bad(bad_line);
    std::string_view line = in.substr(first_word.size(), end - 1 - first_word.size());
    const std::string_view protocol = take_word(line);
    parsed<header> read{outcome::done, {}, end + 1};
    if (protocol == "UNKNOWN") return read;
    if (protocol != "TCP4" && protocol != "TCP6") return bad(bad_line);
    header& told = read.value;
    told.of = protocol == "TCP4" ? family::ip4 : family::ip6;
    std::array<unsigned char, 16> here{};
    if (std::ranges::count(line, ' ') != 3) return bad(bad_line);
    if (!read_address(take_word(line), told.of, told.address.data()) ||
        !read_address(take_word(line), told.of, here.data()))
        return bad(bad_address);
    const auto from = read_port(take_word(line)), to = read_port(line);
    if (!from || !to) return bad(bad_port);
    told.port = *from;
    return read;
}

unsigned byte(std::string_view in, std::size_t at) noexcept { return static_cast<unsigned char>(in[at]); }
std::size_t number(std::string_view in, std::size_t at) noexcept { return byte(in, at) << 8 | byte(in, at + 1); }

// Checks a sequence of TLVs. Each TLV has a type, a length of two bytes, and a value of this length.
bool are_extensions(std::string_view in) noexcept {
    while (!in.empty()) {
        if (in.size() < 3 || number(in, 1) > in.size() - 3) return false;
        in.remove_prefix(3 + number(in, 1));
    }
    return true;
}

/// Layout of the address block of a family, in bytes.
struct layout {
    family of;
    std::size_t address, port, all;
};
constexpr layout layouts[] = {
    {family::unsaid, 0, 0, 0}, {family::ip4, 4, 8, 12}, {family::ip6, 16, 32, 36}, {family::unix_socket, 0, 0, 216}};

parsed<header> read_blocks(std::string_view in) noexcept {
    constexpr std::size_t fixed = 16;
    constexpr unsigned local = 0x20, proxied = 0x21, stream = 1;
    if (in.size() > signature.size()) {
        const unsigned command = byte(in, signature.size());
        if (command != local && command != proxied) return bad(bad_command);
    }
    if (in.size() < fixed) return partial;
    const std::size_t size = number(in, 14);
    if (size > longest_header - fixed) return bad(long_header);
    if (in.size() < fixed + size) return partial;
    parsed<header> read{outcome::done, {}, fixed + size};
    if (byte(in, 12) == local) return read;  // LOCAL: the rest is ignored
    const unsigned kind = byte(in, 13) >> 4, transport = byte(in, 13) & 15;
    if (kind >= std::size(layouts) || transport != (kind == 0 ? 0U : stream)) return bad(bad_family);
    const layout& shape = layouts[kind];
    const std::string_view blocks = in.substr(fixed, size);
    if (blocks.size() < shape.all) return bad(short_block);
    if (!are_extensions(blocks.substr(shape.all))) return bad(bad_extension);
    read.value.of = shape.of;
    std::memcpy(read.value.address.data(), blocks.data(), shape.address);
    if (shape.port != 0) read.value.port = static_cast<std::uint16_t>(number(blocks, shape.port));
    return read;
}

bool may_become(std::string_view in, std::string_view beginning) noexcept {
    const std::size_t size = std::min(in.size(), beginning.size());
    return in.substr(0, size) == beginning.substr(0, size);
}

}  // namespace

parsed<header> read_header(std::string_view in) noexcept {
    if (may_become(in, signature)) return in.size() < signature.size() ? partial : read_blocks(in);
    if (may_become(in, first_word)) return in.size() < first_word.size() ? partial : read_line(in);
    return bad(no_header);
}

}  // namespace apus::codec::proxy
