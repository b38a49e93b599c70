// SPDX-License-Identifier: Apache-2.0
#include "disk/served_file.hpp"

#include "base/ascii.hpp"
#include "codec/fields/date.hpp"
#include "codec/fields/media_type.hpp"
#include "codec/fields/quality_list.hpp"

#include <cerrno>

namespace apus::disk {
namespace {

constexpr std::size_t itself = siblings.size();

void add_line(std::string& lines, std::string_view name, std::string_view value) {
    if (!value.empty()) (((lines += name) += ": ") += value) += "\r\n";
}

// Writes the field lines in this order: fields of a 304 (RFC 9110, 15.4.5), further fields of a 206 with several parts,
// and Content-Type.
void write_lines(variant& v, std::string_view coding, bool varies, const presentation& shown) {
    std::array<char, codec::fields::date_size> date{};
    codec::fields::write_date(v.file->modified, date.data());
    v.lines.clear();
    add_line(v.lines, "etag", v.file->etag);
    add_line(v.lines, "last-modified", {date.data(), date.size()});
    add_line(v.lines, "cache-control", shown.cache_control);
    if (varies) add_line(v.lines, "vary", "accept-encoding");
    v.of_304 = v.lines.size();
    add_line(v.lines, "accept-ranges", "bytes");
    add_line(v.lines, "content-encoding", coding);
    add_line(v.lines, "content-disposition", shown.disposition);
    v.without_type = v.lines.size();
    v.media_type = shown.media_type;
    add_line(v.lines, "content-type", v.media_type);
}

// Returns the weight of each variant, from one pass over the list. The uncompressed file has the lowest weight unless
// the client sets its weight.
std::array<unsigned, itself + 1> weights(std::string_view list) noexcept {
    constexpr unsigned unsaid = ~0U;
    std::array<unsigned, itself + 1> of{unsaid, unsaid, unsaid, unsaid};
    unsigned others = unsaid;
    codec::fields::weighted item;
    while (codec::fields::next_weighted(list, item)) {
        if (item.value == "*") others = item.weight;
        if (base::same_word(item.value, "identity")) of[itself] = item.weight;
        for (std::size_t i = 0; i < itself; ++i)
            if (base::same_word(item.value, siblings[i].coding)) of[i] = item.weight;
    }
    for (std::size_t i = 0; i < itself; ++i)
        if (of[i] == unsaid) of[i] = others == unsaid ? 0 : others;
    if (of[itself] == unsaid) of[itself] = 0;
    return of;
}

}  // namespace

const variant& served_file::choose(std::string_view accept_encoding) const noexcept {
    bool any = false;
    for (std::size_t i = 0; i < itself; ++i) any = any || variants[i].file;
    if (!any || accept_encoding.empty()) return variants[itself];
    const auto weight = weights(accept_encoding);
    std::size_t best = itself;
    for (std::size_t i = itself; i-- > 0;)
        if (variants[i].file && weight[i] > 0 && weight[i] >= weight[best]) best = i;
    return variants[best];
}

loaded load(int root, const std::string& path, links follow, bool precompressed, const presentation& shown,
            patience wait, const served_file* known) {
    opened self = open_below(root, path, follow, wait, known ? known->plain().file : held_file());
    if (!self.file) return {nullptr, self.error, self.directory};
    auto made = std::make_shared<served_file>();
    made->variants[itself].file = std::move(self.file);
    bool varies = false;
    for (std::size_t i = 0; precompressed && i < itself; ++i) {
        opened other = open_below(root, path + std::string(siblings[i].suffix), follow, wait,
                                  known ? known->variants[i].file : held_file());
        if (other.error == EAGAIN && wait == patience::none) return {nullptr, EAGAIN, false};
        made->variants[i].file = std::move(other.file);
        varies = varies || made->variants[i].file;
    }
    presentation all = shown;
    if (all.media_type.empty()) all.media_type = codec::fields::media_type_of(path.substr(path.rfind('/') + 1));
    for (std::size_t i = 0; i <= itself; ++i)
        if (made->variants[i].file) write_lines(made->variants[i], i < itself ? siblings[i].coding : "", varies, all);
    return {std::move(made), 0, false};
}

}  // namespace apus::disk
