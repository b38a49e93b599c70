// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/decoder.hpp"

#include "codec/hpack/blocks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace apus::codec;
using apus::test::block_reader;
using apus::test::bytes_of;
using fields::field_id;

namespace {

struct block {
    std::string_view hex, fields;
    std::uint32_t table_size;
};

struct connection {
    std::string_view name;
    std::string_view setup;  // a table size update before the first block
    std::vector<block> blocks;
};

constexpr std::string_view get_http = ":method: GET\n:scheme: http\n:path: /\n:authority: www.example.com\n";
constexpr std::string_view get_http_no_cache =
    ":method: GET\n:scheme: http\n:path: /\n:authority: www.example.com\ncache-control: no-cache\n";
constexpr std::string_view get_https =
    ":method: GET\n:scheme: https\n:path: /index.html\n:authority: www.example.com\ncustom-key: custom-value\n";
constexpr std::string_view moved =
    ":status: 302\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT\nlocation: https://www.example.com\n";
constexpr std::string_view moved_307 =
    ":status: 307\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT\nlocation: https://www.example.com\n";
constexpr std::string_view with_cookie =
    ":status: 200\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:22 GMT\nlocation: https://www.example.com\n"
    "content-encoding: gzip\nset-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1\n";

// RFC 7541, appendix C.
const connection connections[] = {
    {"C.2.1",
     "",
     {{"400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", "custom-key: custom-header\n", 55}}},
    {"C.2.2", "", {{"040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path\n", 0}}},
    {"C.2.3", "", {{"1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret (never indexed)\n", 0}}},
    {"C.2.4", "", {{"82", ":method: GET\n", 0}}},
    {"C.3",
     "",
     {{"8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", get_http, 57},
      {"8286 84be 5808 6e6f 2d63 6163 6865", get_http_no_cache, 110},
      {"8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65", get_https, 164}}},
    {"C.4",
     "",
     {{"8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", get_http, 57},
      {"8286 84be 5886 a8eb 1064 9cbf", get_http_no_cache, 110},
      {"8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf", get_https, 164}}},
    {"C.5",
     "3fe101",
     {{"4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32"
       "3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
       moved, 222},
      {"4803 3330 37c1 c0bf", moved_307, 222},
      {"88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970"
       "7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61"
       "6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31",
       with_cookie, 215}}},
    {"C.6",
     "3fe101",
     {{"4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad"
       "1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
       moved, 222},
      {"4883 640e ffc1 c0bf", moved_307, 222},
      {"88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2"
       "e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
       with_cookie, 215}}},
};

struct example {
    std::string_view hex, seen;
};

constexpr example examples[] = {
    {"", ""},
    // Integers (RFC 7541, 5.1).
    {"80", "refused: a header block refers to index 0"},
    {"be", "refused: a header block refers to an index that neither table has"},
    {"ff00", "refused: a header block refers to an index that neither table has"},
    {"ffffffffff0f", "refused: an integer in a header block is too large"},
    {"ff80ffffff0f", "refused: a header block refers to an index that neither table has"},
    {"ff808080808000", "refused: an integer in a header block is too large"},
    {"ff8080808000", "refused: a header block refers to an index that neither table has"},
    {"7f00", "refused: a header block ends within a field"},
    {"7f0000", "refused: a header block refers to an index that neither table has"},
    {"7fffffffffff", "refused: an integer in a header block is too large"},
    {"0000ffffffffffff", "refused: an integer in a header block is too large"},
    // Truncated: only the first bytes of valid fields.
    {"ff", "refused: a header block ends within a field"},
    {"3f", "refused: a header block ends within a field"},
    {"40", "refused: a header block ends within a field"},
    {"400a", "refused: a header block ends within a field"},
    {"400161", "refused: a header block ends within a field"},
    {"40016103", "refused: a header block ends within a field"},
    {"820f", ":method: GET\nrefused: a header block ends within a field"},
    {"44ff", "refused: a header block ends within a field"},
    // Lengths that can never fit are rejected at once.
    {"447fffffff07", "refused: a header list is far larger than announced"},
    {"44ffffffff07", "refused: a header list is far larger than announced"},
    // Names and values (RFC 9113, 8.2.1).
    {"00 0161 00", "a: \n"},
    {"00 00 0161", ": a (malformed)\n"},
    {"00 0141 00", "A:  (malformed)\n"},
    {"00 023a61 00", ":a:  (malformed)\n"},
    {"00 03613a61 00", "a:a:  (malformed)\n"},
    {"00 036120 61 00", "a a:  (malformed)\n"},
    {"00 0280 61 00",
     "\x80"
     "a:  (malformed)\n"},
    {"00 0161 03200961", "a:  \ta (malformed)\n"},
    {"00 0161 036120 09", "a: a \t (malformed)\n"},
    {"00 0161 03612061", "a: a a\n"},
    {"00 0161 03610961", "a: a\ta\n"},
    {"00 0161 0361 0d61", "a: a\ra (malformed)\n"},
    {"00 0161 0361 0a61", "a: a\na (malformed)\n"},
    {"00 0161 0361 7f61",
     "a: a\x7f"
     "a (malformed)\n"},
    {"00 0161 0361 ff61",
     "a: a\xff"
     "a\n"},
    // A malformed field remains malformed as an entry of the table.
    {"40 0141 0161 be 7e 0162", "A: a (malformed)\nA: a (malformed)\nA: b (malformed)\n"},
    {"40 0161 0120 be 7e 0162", "a:   (malformed)\na:   (malformed)\na: b\n"},
    {"08 03393939", ":status: 999\n"},
    {"00 07 3a6d6574686f64 03474554", ":method: GET\n"},
    {"00 09 3a70726f746f636f6c 02 7773", ":protocol: ws\n"},
    // Huffman strings (RFC 7541, 5.2).
    {"00 81 1f 00", "a: \n"},
    {"00 81 1e 00", "refused: a Huffman string ends with invalid padding"},
    {"00 82 1fff 00", "refused: a Huffman string ends with invalid padding"},
    {"00 84 ffffffff 00", "refused: a Huffman string contains the end-of-string symbol"},
    {"00 84 fffffffc 00", "refused: a Huffman string contains the end-of-string symbol"},
    {"00 83 ffffff 00", "refused: a Huffman string ends with invalid padding"},
    {"00 81 ff 00", "refused: a Huffman string ends with invalid padding"},
    {"00 80 00", ":  (malformed)\n"},
    {"00 0161 80", "a: \n"},
    {"00 0161 8c 1863 1863 1863 1863 ffff ffff", "refused: a Huffman string contains the end-of-string symbol"},
    // Table size updates (RFC 7541, 6.3).
    {"20", ""},
    {"20 82", ":method: GET\n"},
    {"20 3fe11f 82", ":method: GET\n"},
    {"3fe21f", "refused: a dynamic table size update exceeds the announced limit"},
    {"3fffffffff0f", "refused: an integer in a header block is too large"},
    {"82 20", ":method: GET\nrefused: a dynamic table size update follows a field"},
    {"20 40016101 62 be", "a: b\nrefused: a header block refers to an index that neither table has"},
    {"3f01 40016101 62 be", "a: b\nrefused: a header block refers to an index that neither table has"},
    {"3f03 40016101 62 be", "a: b\na: b\n"},
    {"3f03 40016101 62 40016101 63 be bf",
     "a: b\na: c\na: c\nrefused: a header block refers to an index that neither table has"},
    // A name taken from an entry that the insertion itself evicts (RFC 7541, 4.4).
    {"3f03 40016101 62 7e0163 be", "a: b\na: c\na: c\n"},
};

}  // namespace

TEST_CASE("HPACK decoder: the examples of RFC 7541, whole and in pieces") {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
        for (const connection& one : connections) {
            CAPTURE(one.name);
            CAPTURE(piece);
            block_reader reader;
            CHECK(reader.read(bytes_of(one.setup)) == "");
            for (const block& b : one.blocks) {
                CHECK(reader.read(bytes_of(b.hex), piece) == b.fields);
                CHECK(reader.decoder.table_size() == b.table_size);
            }
        }
    }
}

TEST_CASE("HPACK decoder: valid and invalid blocks, whole and in pieces") {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
        for (const example& e : examples) {
            CAPTURE(e.hex);
            CAPTURE(piece);
            block_reader reader;
            const std::string seen = reader.read(bytes_of(e.hex), piece);
            CHECK(seen == e.seen);
        }
    }
}

TEST_CASE("HPACK decoder: known fields are identified by numbers") {
    hpack::decoder decoder;
    decoder.begin_block(1000);
    // GET, https, a :path literal, a literal name, and an unknown name twice.
    const std::string block = bytes_of("82 87 04022f61 40 0a757365722d6167656e74 0161 40 0178 0179 be bf");
    std::string_view in = block;
    hpack::field f;
    const auto next = [&] { return decoder.next(in, {}, f) == hpack::step::field; };
    REQUIRE(next());
    CHECK(f.id == field_id::method);
    CHECK(f.static_index == 2);
    REQUIRE(next());
    CHECK(f.id == field_id::scheme);
    CHECK(f.static_index == 7);
    REQUIRE(next());
    CHECK(f.id == field_id::path);
    CHECK(f.static_index == 0);
    CHECK(f.value.data() > block.data());  // points into the input
    CHECK(f.value.data() < block.data() + block.size());
    CHECK(f.entry == 0);
    REQUIRE(next());
    CHECK(f.id == field_id::user_agent);
    CHECK(f.entry == 1);
    REQUIRE(next());
    CHECK(f.id == field_id::unknown);
    CHECK(f.entry == 2);
    REQUIRE(next());
    CHECK(f.entry == 2);
    CHECK(f.name == "x");
    REQUIRE(next());
    CHECK(f.entry == 1);
    CHECK(f.id == field_id::user_agent);
    CHECK(f.name == "user-agent");
    CHECK(decoder.next(in, {}, f) == hpack::step::end);
    CHECK(decoder.list_size() == (7 + 3) + (7 + 5) + (5 + 2) + 2 * (10 + 1) + 2 * (1 + 1) + 7 * 32);
}

TEST_CASE("HPACK decoder: the buffer for Huffman strings") {
    hpack::decoder decoder;
    decoder.begin_block(1000);
    const std::string block =
        bytes_of("4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf");  // custom-key: custom-value
    std::string_view in = block;
    hpack::field f;
    char room[12 + 14];
    CHECK(decoder.next(in, std::span(room, 25), f) == hpack::step::no_room);
    CHECK(f.need == 26);
    CHECK(in.size() == block.size());
    REQUIRE(decoder.next(in, room, f) == hpack::step::field);
    CHECK(f.name == "custom-key");
    CHECK(f.name_in_room);
    CHECK(f.value_in_room);
    CHECK(f.name.data() == room);
    CHECK(f.value.data() == room + f.name.size());
    CHECK(decoder.next(in, room, f) == hpack::step::end);
}

TEST_CASE("HPACK decoder: empty Huffman strings need no buffer") {
    hpack::decoder decoder;
    decoder.begin_block(1000);
    const std::string block = bytes_of("00 80 80  40 80 80  0f01 80  53 80  40 01 61 80  be");
    std::string_view in = block;
    hpack::field f;
    std::string seen;
    hpack::step got;
    while ((got = decoder.next(in, {}, f)) == hpack::step::field)
        seen.append(f.name).append("=").append(f.value).append(f.malformed ? " malformed," : ",");
    CHECK(got == hpack::step::end);
    CHECK(seen == "= malformed,= malformed,accept-encoding=,accept=,a=,a=,");
}

TEST_CASE("HPACK decoder: a skipped field enters the table") {
    // Values of 4,000 and 4,100 characters with Huffman codes of 10 bits each.
    for (const std::size_t size : {40U, 3000U, 4000U, 4100U}) {
        CAPTURE(size);
        std::string value;
        for (std::size_t i = 0; i < size / 4; ++i) value += bytes_of("fe3f8fe3f8");
        std::string block("\x40\x01x\xff", 4);
        std::size_t rest = value.size() - 127;
        if (value.size() < 127) block.back() = static_cast<char>(0x80 | value.size());
        else
            for (;; rest >>= 7) {
                block += static_cast<char>(rest >= 128 ? rest | 128 : rest);
                if (rest < 128) break;
            }
        block += value;
        block_reader reader;
        reader.room_size = 0;
        CHECK(reader.read(block + "\xbe") ==
              (size < 4065 ? "(skipped)\nx: " + std::string(size, '!') + "\n"
                           : "(skipped)\nrefused: a header block refers to an index that neither table has"));
        if (size < 4065) CHECK(reader.decoder.list_size() == 2 * (size + 33));
    }
    block_reader reader;
    reader.room_size = 0;
    CHECK(reader.read(bytes_of("00 81 1e 00")) == "refused: a Huffman string ends with invalid padding");
}

TEST_CASE("HPACK decoder: the size of a decoded list is limited") {
    block_reader reader;
    const std::string entry = std::string("\x40\x01x\x7f\xa1\x1e", 6) + std::string(4000, 'v');
    reader.max_list = 3 * 4033;
    CHECK(reader.read(entry + "\xbe\xbe").ends_with("v\n"));
    CHECK(reader.read("\xbe\xbe\xbe\xbe").ends_with("refused: a header list is far larger than announced"));
    CHECK(reader.decoder.why()->status == 11);
}

TEST_CASE("HPACK decoder: the encoder must acknowledge a reduced table size") {
    constexpr std::string_view missing = "refused: the dynamic table was not reduced to the acknowledged limit";
    const auto read = [](std::string_view hex) {
        block_reader reader;
        reader.read(bytes_of("40 0161 0162"));
        reader.decoder.set_table_limit(100);
        return reader.read(bytes_of(hex));
    };
    CHECK(read("82") == missing);
    CHECK(read("3f46 82") == "refused: a dynamic table size update exceeds the announced limit");
    CHECK(read("3f45 be") == "a: b\n");
    CHECK(read("20 be") == "refused: a header block refers to an index that neither table has");
    CHECK(read("20 3f45 82") == ":method: GET\n");
    CHECK(read("") == "refused: a header block ends within a field");

    // The encoder must also acknowledge the reduced size if the limit was raised again.
    const auto read_raised = [](std::string_view hex) {
        block_reader reader;
        reader.decoder.set_table_limit(100);
        reader.decoder.set_table_limit(4096);
        return reader.read(bytes_of(hex));
    };
    CHECK(read_raised("82") == missing);
    CHECK(read_raised("3fe11f 82") == "refused: a dynamic table size update exceeds the announced limit");
    CHECK(read_raised("3f45 3fe11f 82") == ":method: GET\n");

    // A limit above the size of the table changes nothing.
    block_reader reader;
    CHECK(reader.read(bytes_of("3f45 82")) == ":method: GET\n");
    reader.decoder.set_table_limit(100);
    CHECK(reader.read("\x82") == ":method: GET\n");
}

TEST_CASE("HPACK decoder: memory is allocated for the first entry and freed with the last") {
    block_reader reader;
    reader.read(bytes_of("8286 8404022f61"));
    CHECK(reader.decoder.memory() == 0);
    reader.read(bytes_of("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d"));
    CHECK(reader.decoder.memory() == 256);
    reader.decoder.shrink();
    CHECK(reader.decoder.memory() == 24);
    CHECK(reader.read("\xbe") == ":authority: www.example.com\n");
    for (int i = 0; i < 5000; ++i) {
        const std::string n = std::to_string(i);
        const std::string name = "n" + n;
        std::string block = "\x40";
        block += static_cast<char>(name.size());
        block += name;
        block += static_cast<char>(n.size());
        block += n;
        block += "\xbe";
        REQUIRE(reader.read(block) == name + ": " + n + "\n" + name + ": " + n + "\n");
        REQUIRE(reader.decoder.table_size() <= 4096);
    }
    CHECK(reader.decoder.memory() <= 128 * 8 + 4096);
    reader.read("\x20");
    CHECK(reader.decoder.memory() == 0);
}
