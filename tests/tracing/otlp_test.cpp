// SPDX-License-Identifier: Apache-2.0
#include "tracing/otlp.hpp"

#include "base/hex.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace apus::tracing;
using apus::log::field;

// Encoded by opentelemetry-proto 1.45.2 and protobuf 7.36.2: record_otlp.py.
constexpr std::string_view recorded_resource =
    "0a160a0c736572766963652e6e616d6512060a0473686f700a110a0b70726f636573732e7069641202182a";
constexpr std::string_view recorded_small =
    "0a10000102030405060708090a0b0c0d0e0f120800010203040506072a05707269636530013900002a36fe9c9717412c012a"
    "36fe9c9717850101010000";
constexpr std::string_view recorded_big =
    "0a10000102030405060708090a0b0c0d0e0f120808090a0b0c0d0e0f1a07613d312c623d32220800010203040506072a0f47"
    "4554202f746f646f732f7b69647d30023901000000000000004100000000000000804a100a047465787412080a066772c3bc"
    "c39f4a090a03796573120210014a080a026e6f120210004a0c0a05636f756e74120318ac024a130a046c657373120b18ffff"
    "ffffffffffffff014a110a047265616c120921000000000000f83f4a0e0a0362616412070a0561efbfbd625a210907000000"
    "00000000120a6361636865206d6973731a0a0a036b657912030a016b5a100908000000000000001205616761696e7a0c1208"
    "6e6f2073746f636b1802850101030000";
constexpr std::string_view recorded_export =
    "0a8b030a2b0a160a0c736572766963652e6e616d6512060a0473686f700a110a0b70726f636573732e7069641202182a12db"
    "020a0d0a04617075731205302e312e30123d0a10000102030405060708090a0b0c0d0e0f120800010203040506072a057072"
    "69636530013900002a36fe9c9717412c012a36fe9c9717850101010000128a020a10000102030405060708090a0b0c0d0e0f"
    "120808090a0b0c0d0e0f1a07613d312c623d32220800010203040506072a0f474554202f746f646f732f7b69647d30023901"
    "000000000000004100000000000000804a100a047465787412080a066772c3bcc39f4a090a03796573120210014a080a026e"
    "6f120210004a0c0a05636f756e74120318ac024a130a046c657373120b18ffffffffffffffffff014a110a047265616c1209"
    "21000000000000f83f4a0e0a0362616412070a0561efbfbd625a21090700000000000000120a6361636865206d6973731a0a"
    "0a036b657912030a016b5a100908000000000000001205616761696e7a0c12086e6f2073746f636b1802850101030000";

constexpr std::string_view recorded_logs =
    "0abb010a2b0a160a0c736572766963652e6e616d6512060a0473686f700a110a0b70726f636573732e7069641202182a128b"
    "010a0d0a04617075731205302e312e30121c0900002a36fe9c971710091a04494e464f2a090a0773746172746564125c0901"
    "0000000000000010111a054552524f522a0a0a086e6f2073746f636b320b0a056f7264657212021807320e0a036261641207"
    "0a0561efbfbd6245010000004a10000102030405060708090a0b0c0d0e0f52080001020304050607";

template <std::size_t N>
void number(std::array<unsigned char, N>& id, unsigned char first) {
    for (auto& byte : id) byte = first++;
}

span_data small_span() {
    span_data made;
    number(made.trace, 0);
    number(made.id, 0);
    made.flags = 1;
    made.name = "price";
    made.start = 1'700'000'000'000'000'000;
    made.end = made.start + 300;
    return made;
}

span_data big_span() {
    span_data made = small_span();
    number(made.id, 8);
    number(made.parent, 0);
    made.has_parent = made.remote_parent = true;
    made.name = "GET /todos/{id}";
    made.kind = span_kind::server;
    made.start = 1;
    made.end = std::uint64_t{1} << 63U;
    for (const field& f : {field("text", "gr\u00fc\u00df"), field("yes", true), field("no", false),
                           field("count", 300U), field("less", -1), field("real", 1.5),
                           field("bad",
                                 "a\xff"
                                 "b"),
                           field()})
        made.attributes.add(f);
    const field key("key", "k");
    made.add_event("cache miss", 7, {&key, 1});
    made.add_event("again", 8, {});
    made.failed = true;
    made.why = "no stock";
    return made;
}

std::string resource() {
    const field all[] = {{"service.name", "shop"}, {"process.pid", 42}};
    return encode_resource(all);
}

}  // namespace

TEST_CASE("OTLP: messages are encoded like the published package does, byte by byte") {
    CHECK(apus::base::hex(resource()) == recorded_resource);
    CHECK(apus::base::hex(encode(small_span(), {})) == recorded_small);
    CHECK(apus::base::hex(encode(big_span(), "a=1,b=2")) == recorded_big);
    const std::string spans[] = {encode(small_span(), {}), encode(big_span(), "a=1,b=2")};
    CHECK(apus::base::hex(encode_export(resource(), "0.1.0", spans)) == recorded_export);
}

TEST_CASE("OTLP: log records are encoded like the published package does, byte by byte") {
    attribute_list none(log_attributes_field), some(log_attributes_field);
    for (const auto& f : {field("order", 7), field(),
                          field("bad",
                                "a\xff"
                                "b")})
        some.add(f);
    trace_id trace;
    span_id span;
    number(trace, 0);
    number(span, 0);
    const std::string records[] = {
        encode_log({.time = 1'700'000'000'000'000'000, .message = "started", .attributes = none}),
        encode_log({.time = 1,
                    .level = apus::log::level::error,
                    .message = "no stock",
                    .attributes = some,
                    .trace = &trace,
                    .span = span,
                    .flags = 1})};
    CHECK(apus::base::hex(encode_export(resource(), "0.1.0", records)) == recorded_logs);
}

TEST_CASE("OTLP: the size of a span is limited, and dropped parts are counted") {
    span_data data = small_span();
    const std::string long_text(100'000, 'x');
    for (unsigned i = 0; i < 1000; ++i) {
        const field f(long_text, long_text);
        data.attributes.add(f);
        data.add_event(long_text, 1, {&f, 1});
    }
    data.name = data.why = long_text;
    CHECK(data.attributes.dropped() == 1000 - attribute_list::max_count);
    CHECK(data.event_count == span_data::max_events);
    CHECK(data.dropped_events == 1000 - span_data::max_events);
    CHECK(encode(data, {}).size() < 256 * 1024);
}
