// SPDX-License-Identifier: Apache-2.0
#include "codec/multipart/part_head.hpp"

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "codec/multipart/parameter.hpp"
#include "codec/multipart/refusals.hpp"

#include <algorithm>

namespace apus::codec::multipart {
namespace {

struct line {
    std::string_view name, value;
};

// Removes the next line and returns its name and value, without the CRLF. The name is empty if the line is not a field.
line next_line(std::string_view& lines) noexcept {
    const auto end = lines.find("\r\n");
    const std::string_view whole = lines.substr(0, end);
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 2);
    const auto colon = whole.find(':');
    if (colon == whole.npos) return {};
    line found{whole.substr(0, colon), fields::trimmed(whole.substr(colon + 1))};
    const auto is_token_byte = [](char c) { return base::is(c, base::token_byte); };
    const auto is_value_byte = [](char c) { return base::is(c, base::value_byte); };
    if (!std::ranges::all_of(found.name, is_token_byte) || !std::ranges::all_of(found.value, is_value_byte)) return {};
    return found;
}

// Parses the Content-Disposition of a part. Returns the reason if it is invalid, otherwise null.
const refusal* read_disposition(std::string_view value, part_head& to) noexcept {
    const std::string_view kind = fields::trimmed(value.substr(0, value.find(';')));
    if (!base::same_word(kind, "form-data")) return &refusals::disposition_bad;
    std::string_view rest = value.substr(std::min(value.find(';'), value.size()));
    bool named = false, has_file_name = false, has_other_name = false;
    while (true) {
        const auto next = read_parameter(rest);
        if (next.state == outcome::bad) return &refusals::disposition_bad;
        if (next.value.name.empty()) break;
        rest.remove_prefix(next.used);
        const bool is_name = base::same_word(next.value.name, "name");
        const bool is_file_name = base::same_word(next.value.name, "filename");
        bool& seen = is_name ? named : is_file_name ? has_file_name : has_other_name;
        if ((is_name || is_file_name) && seen) return &refusals::disposition_bad;
        if (is_name) to.name = next.value.value;
        if (is_file_name) to.file_name = next.value.value;
        seen = true;
        to.is_file = to.is_file || is_file_name || base::same_word(next.value.name, "filename*");
    }
    return named ? nullptr : &refusals::name_missing;
}

bool leaves_bytes_alone(std::string_view encoding) noexcept {
    return base::same_word(encoding, "7bit") || base::same_word(encoding, "8bit") ||
           base::same_word(encoding, "binary");
}

}  // namespace

parsed<part_head> read_part_head(std::string_view lines) noexcept {
    part_head found;
    const std::size_t whole = lines.size();
    const refusal* why = nullptr;
    bool has_disposition = false, has_type = false;
    while (!lines.empty() && !why) {
        const line field = next_line(lines);
        if (field.name.empty()) {
            why = &refusals::field_line;
        } else if (base::same_word(field.name, "content-disposition")) {
            why = has_disposition ? &refusals::same_field_twice : read_disposition(field.value, found);
            has_disposition = true;
        } else if (base::same_word(field.name, "content-type")) {
            if (has_type) why = &refusals::same_field_twice;
            has_type = true;
            found.media_type = field.value;
        } else if (base::same_word(field.name, "content-transfer-encoding") && !leaves_bytes_alone(field.value)) {
            why = &refusals::encoded;
        }
    }
    if (!why && !has_disposition) why = &refusals::disposition_missing;
    if (why) return {outcome::bad, {}, 0, why};
    return {outcome::done, found, whole, nullptr};
}

std::string_view plain_name(std::string_view sent, char* to) noexcept {
    char* end = to;
    while (!sent.empty()) {
        char c = sent.front();
        std::size_t used = 1;
        const std::string_view three = sent.substr(0, 3);
        if (three == "%22") c = '"', used = 3;
        else if (base::same_word(three, "%0d")) c = '\r', used = 3;
        else if (base::same_word(three, "%0a")) c = '\n', used = 3;
        else if (c == '\\' && sent.size() > 1 && (sent[1] == '"' || sent[1] == '\\')) c = sent[1], used = 2;
        *end++ = c;
        sent.remove_prefix(used);
    }
    return {to, static_cast<std::size_t>(end - to)};
}

}  // namespace apus::codec::multipart
