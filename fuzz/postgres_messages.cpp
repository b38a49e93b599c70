// SPDX-License-Identifier: Apache-2.0
#include "codec/postgres/message.hpp"
#include "postgres/result.hpp"

#include "property.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

// Arbitrary bytes as messages of a PostgreSQL server. Each prefix of a message must be partial, and the contents must
// be within the message. The first byte of the input selects the size limit of rows.

namespace {

using namespace apus;
using namespace apus::codec::postgres;
using codec::outcome;
using fuzz::must;

bool within(std::string_view part, std::string_view all) {
    return part.empty() || (part.data() >= all.data() && part.data() + part.size() <= all.data() + all.size());
}

void check_row(std::string_view body) {
    std::size_t cells = 0, used = 2;
    const bool whole = read_cells(body, [&](const cell& c) {
        must(within(c.bytes, body) && (!c.is_null || c.bytes.empty()), "a value is within its row");
        used += 4 + c.bytes.size();
        ++cells;
    });
    must(!whole || used == body.size(), "a complete row ends with its last value");
    must(is_row(body, cells) == whole, "`is_row` accepts exactly the complete rows");
    if (!whole) return;
    // The values of a result are decoded as various types; an invalid value throws.
    auto format = std::make_shared<postgres::row_format>();
    constexpr postgres::oid types[] = {postgres::oid::int4, postgres::oid::text, postgres::oid::numeric,
                                       static_cast<postgres::oid>(1007)};
    for (std::size_t i = 0; i < cells; ++i) format->columns.push_back({"c", types[i % std::size(types)]});
    postgres::received_rows rows;
    rows.format = std::move(format);
    for (int i = 0; i < 2; ++i) rows.add(body);
    postgres::result_rows read(std::move(rows));
    must(read.size() == 2 && read.columns() == cells, "a result contains the added rows");
    for (const std::size_t row : {1UL, 0UL})
        for (unsigned c = 0; c < std::min<std::size_t>(cells, 16); ++c) try {
                (void)read.cell(row, c);
            } catch (const std::runtime_error&) {}
}

void check_body(const message& m) {
    const std::string_view body = m.body;
    check_row(body);
    bool texts = true;
    const auto note = [&](std::string_view text) { texts &= within(text, body) && !text.contains('\0'); };
    std::size_t columns = 0, parameters = 0;
    (void)read_columns(body, [&](const column& c) { note(c.name), ++columns; });
    must(columns <= 65535 && (postgres::read_row_format(body) == nullptr || columns * 19 + 2 <= body.size()),
         "each column consumes at least 19 bytes");
    if (read_parameters(body, [&](std::uint32_t) { ++parameters; }))
        must(body.size() == 2 + 4 * parameters, "each parameter consumes four bytes");
    (void)read_fields(body, [&](char, std::string_view text) { note(text); });
    (void)postgres::read_error(body, "select 1");
    if (const auto tag = read_tag(body)) {
        note(*tag);
        must(changed_rows(*tag) >= 0, "the number of changed rows is not negative");
    }
    if (const auto n = read_notification(body)) note(n->channel), note(n->payload);
    must(texts, "texts are within the message and contain no NUL");
    if (is_copy_response(body)) must(body.size() >= 3, "a copy response has at least 3 bytes");
    must(!read_ready(body) || body.size() == 1, "a ready message has one byte");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::size_t max_row = 16 * std::size_t(data[0]);
    std::string_view left(reinterpret_cast<const char*>(data) + 1, size - 1);
    while (true) {
        const auto got = read_message(left, max_row);
        if (got.state == outcome::bad) {
            must(got.why != nullptr && got.used == 0, "a rejected message has a reason and uses no bytes");
            break;
        }
        if (got.state == outcome::partial) break;
        must(got.used == got.value.body.size() + message_head_size && within(got.value.body, left),
             "a complete message consists of its head and body");
        for (std::size_t n = 0; n < std::min<std::size_t>(got.used, 64); ++n)
            must(read_message(left.substr(0, n), max_row).state == outcome::partial,
                 "a prefix of a complete message is partial");
        must(read_message(left.substr(0, got.used), max_row).state == outcome::done,
             "a message is complete without the bytes after it");
        check_body(got.value);
        left.remove_prefix(got.used);
    }
    return 0;
}
