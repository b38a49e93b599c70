// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/hpack/decoder.hpp"
#include "codec/hpack/encoder.hpp"
#include "codec/hpack/literal.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nghttp2/nghttp2.h>

// Compares with nghttp2's HPACK: one side encodes random header lists, and the other decodes them.

namespace apus::test {

struct plain_field {
    std::string name, value;
    bool never_indexed = false;

    bool operator==(const plain_field&) const = default;
};
using field_list = std::vector<plain_field>;

/// The decoder of nghttp2.
class oracle_decoder {
public:
    oracle_decoder() {
        if (nghttp2_hd_inflate_new(&inflater_) != 0) std::abort();
    }
    oracle_decoder(const oracle_decoder&) = delete;
    oracle_decoder& operator=(const oracle_decoder&) = delete;
    ~oracle_decoder() { nghttp2_hd_inflate_del(inflater_); }

    void set_table_limit(std::uint32_t bytes) { nghttp2_hd_inflate_change_table_size(inflater_, bytes); }

    /// Returns nothing if the block is rejected. Stops after `most` bytes of fields.
    std::optional<field_list> read(std::string_view block, std::size_t most = ~std::size_t{0}) {
        field_list fields;
        for (std::size_t size = 0; size <= most;) {
            nghttp2_nv nv;
            int flags = 0;
            const auto used = nghttp2_hd_inflate_hd2(
                inflater_, &nv, &flags, reinterpret_cast<const std::uint8_t*>(block.data()), block.size(), 1);
            if (used < 0) return {};
            block.remove_prefix(static_cast<std::size_t>(used));
            if (flags & NGHTTP2_HD_INFLATE_EMIT) {
                fields.push_back({std::string(reinterpret_cast<char*>(nv.name), nv.namelen),
                                  std::string(reinterpret_cast<char*>(nv.value), nv.valuelen),
                                  (nv.flags & NGHTTP2_NV_FLAG_NO_INDEX) != 0});
                size += nv.namelen + nv.valuelen + 32;
            }
            if (flags & NGHTTP2_HD_INFLATE_FINAL) {
                nghttp2_hd_inflate_end_headers(inflater_);
                return fields;
            }
        }
        return fields;
    }

private:
    nghttp2_hd_inflater* inflater_ = nullptr;
};

/// The encoder of nghttp2.
class oracle_encoder {
public:
    oracle_encoder() {
        if (nghttp2_hd_deflate_new(&deflater_, 4096) != 0) std::abort();
    }
    oracle_encoder(const oracle_encoder&) = delete;
    oracle_encoder& operator=(const oracle_encoder&) = delete;
    ~oracle_encoder() { nghttp2_hd_deflate_del(deflater_); }

    void set_peer_limit(std::uint32_t bytes) { nghttp2_hd_deflate_change_table_size(deflater_, bytes); }

    std::string write(const field_list& fields) {
        std::vector<nghttp2_nv> nvs;
        const auto bytes = [](const std::string& text) {
            return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
        };
        for (const plain_field& f : fields)
            nvs.push_back({bytes(f.name), bytes(f.value), f.name.size(), f.value.size(),
                           static_cast<std::uint8_t>(f.never_indexed ? NGHTTP2_NV_FLAG_NO_INDEX : 0)});
        std::string out(nghttp2_hd_deflate_bound(deflater_, nvs.data(), nvs.size()), '\0');
        const auto size = nghttp2_hd_deflate_hd(deflater_, reinterpret_cast<std::uint8_t*>(out.data()), out.size(),
                                                nvs.data(), nvs.size());
        if (size < 0) std::abort();
        out.resize(static_cast<std::size_t>(size));
        return out;
    }

private:
    nghttp2_hd_deflater* deflater_ = nullptr;
};

/// Decodes a block with our decoder, in pieces.
inline std::optional<field_list> read_block(codec::hpack::decoder& decoder, std::string_view block, std::size_t piece,
                                            std::size_t room_size = 64 * 1024, std::uint32_t max_list = 1U << 30) {
    using codec::hpack::step;
    field_list fields;
    std::vector<char> room(room_size);
    codec::hpack::field f;
    decoder.begin_block(max_list);
    std::string_view in = block.substr(0, 0);
    for (std::size_t arrived = 0;;) {
        const step got = decoder.next(in, room, f);
        if (got == step::field) fields.push_back({std::string(f.name), std::string(f.value), f.never_indexed});
        else if (got == step::bad) return {};
        else if (got == step::no_room) std::abort();
        else if (arrived == block.size()) return got == step::end ? std::optional(fields) : std::nullopt;
        else {
            arrived = std::min(arrived + piece, block.size());
            const auto at = static_cast<std::size_t>(in.data() - block.data());
            in = block.substr(at, arrived - at);
        }
    }
}

/// Makes header lists from random numbers or a fuzzer's input.
/// `Choices` has `below(n)`, which returns 0 to n - 1.
template <class Choices>
class list_maker {
public:
    explicit list_maker(Choices& choices) : choices_(choices) {}

    field_list make() {
        field_list fields(choices_.below(16));
        for (plain_field& f : fields) {
            f.name = text(names_, [this] { return make_name(); });
            f.value = text(values_, [this] { return make_value(); });
            // nghttp2 never indexes these fields, since an attacker could guess the secrets that they may contain.
            f.never_indexed =
                choices_.below(8) == 0 || f.name == "authorization" || (f.name == "cookie" && f.value.size() < 20);
        }
        return fields;
    }

    /// Encodes fields with our encoder, using all representations of a field.
    std::string encode(codec::hpack::encoder& encoder, const field_list& fields) {
        namespace hpack = codec::hpack;
        std::size_t most = hpack::encoder::max_begin;
        for (const plain_field& f : fields) most += hpack::max_literal(f.name.size(), f.value.size());
        std::string block(most, '\0');
        char* at = encoder.begin_block(block.data());
        for (const plain_field& f : fields) {
            const auto how = choices_.below(2) ? hpack::coding::huffman : hpack::coding::plain;
            const auto id = codec::fields::find_field_id(f.name);
            const auto which = f.never_indexed ? hpack::indexing::never : hpack::indexing::without;
            if (!f.never_indexed && choices_.below(4)) at = encoder.write_indexed(at, f.name, f.value);
            else if (id != codec::fields::field_id::unknown) at = hpack::write_literal(at, id, f.value, how, which);
            else at = hpack::write_literal(at, f.name, f.value, how, which);
        }
        block.resize(static_cast<std::size_t>(at - block.data()));
        return block;
    }

private:
    // Returns an earlier text, or a new text, which replaces an earlier one.
    template <class F>
    std::string text(std::vector<std::string>& known, F make) {
        constexpr std::size_t remembered = 24;
        const std::size_t at = choices_.below(remembered);
        if (at < known.size() && choices_.below(3)) return known[at];
        std::string made = make();
        if (known.size() < remembered) known.push_back(made);
        else known[at] = made;
        return made;
    }

    std::string make_name() {
        if (choices_.below(2)) {
            const auto id = static_cast<codec::fields::field_id>(choices_.below(76) + 1);
            if (const auto name = codec::fields::text_of(id); !name.empty()) return std::string(name);
        }
        return letters(choices_.below(2) ? 1 + choices_.below(30) : 1 + choices_.below(4),
                       "abcdefghijklmnopqrstuvwxyz0123456789-_.!");
    }

    std::string make_value() {
        switch (choices_.below(6)) {
            case 0: return {};
            case 1: return letters(1 + choices_.below(10), "0123456789");
            case 2: return letters(1 + choices_.below(300), {});
            case 3: return letters(choices_.below(16) ? 60 : 3000 + choices_.below(3000), "abc/=;<X");
            default:
                return letters(1 + choices_.below(60),
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /-_=;,.");
        }
    }

    // Returns `size` random characters of `of`, or of all bytes if it is empty.
    std::string letters(std::size_t size, std::string_view of) {
        std::string made(size, '\0');
        for (char& c : made) c = of.empty() ? static_cast<char>(choices_.below(256)) : of[choices_.below(of.size())];
        return made;
    }

    Choices& choices_;
    std::vector<std::string> names_, values_;
};

}  // namespace apus::test
