// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/idempotency_key.hpp"
#include "middleware/idempotency_record.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view bytes(in.data(), size);
    if (const auto key = apus::codec::fields::read_idempotency_key(bytes)) {
        apus::fuzz::must(!key->empty() && key->size() <= 255, "a key has 1 to 255 bytes");
        const std::string quoted = '"' + std::string(*key) + '"';
        apus::fuzz::must(apus::codec::fields::read_idempotency_key(quoted) == key, "a quoted key is the same key");
    }
    if (const auto record = apus::middleware::read_record(bytes); record && record->kept) {
        apus::response again;
        record->kept->put_into(again);
        const auto copy = apus::middleware::read_record(apus::middleware::to_bytes(record->fingerprint, again, true));
        apus::fuzz::must(copy && copy->status == record->status && copy->kept->body == record->kept->body,
                         "a parsed record, written and parsed again, has the same status and body");
    }
    return 0;
}
