// SPDX-License-Identifier: Apache-2.0
#include "codec/protobuf/reader.hpp"
#include "tracing/otlp.hpp"

#include "property.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

using namespace apus::codec::protobuf;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view message(in.data(), in.size());
    field_reader reader(message);
    field_reader::field one;
    std::size_t fields = 0;
    while (reader.next(one) == field_reader::outcome::field) {
        apus::fuzz::must(one.bytes.size() < size, "a value is a part of the message");
        apus::fuzz::must(++fields <= size, "each field has a byte");
    }
    (void)apus::tracing::decode_partial_success(message);
    return 0;
}
