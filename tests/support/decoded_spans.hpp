// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/hex.hpp"
#include "tracing/recorder.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::test {

/// A field of a Protocol Buffers message.
struct message_field {
    std::uint32_t number;
    std::uint64_t value = 0;   ///< Value of a number.
    std::string_view bytes{};  ///< Bytes of a text or a message.
};

inline std::vector<message_field> fields_of_message(std::string_view message) {
    const auto varint = [&] {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (message.empty() || shift > 63) throw std::runtime_error("a malformed varint");
            const auto byte = static_cast<unsigned char>(message[0]);
            message.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) return value;
        }
    };
    std::vector<message_field> all;
    while (!message.empty()) {
        const std::uint64_t tag = varint();
        message_field one{static_cast<std::uint32_t>(tag >> 3U)};
        const std::size_t fixed = (tag & 7U) == 1 ? 8 : (tag & 7U) == 5 ? 4 : 0;
        if ((tag & 7U) == 0) {
            one.value = varint();
        } else {
            const std::size_t size = fixed ? fixed : varint();
            if (size > message.size()) throw std::runtime_error("a truncated message");
            one.bytes = message.substr(0, size);
            message.remove_prefix(size);
            if (fixed) std::memcpy(&one.value, one.bytes.data(), fixed);
        }
        all.push_back(one);
    }
    return all;
}

/// Returns the name and the value of an attribute. Numbers as decimal text.
inline std::pair<std::string, std::string> attribute_of(std::string_view message) {
    const auto pair = fields_of_message(message);
    const auto value = fields_of_message(pair.at(1).bytes).at(0);
    return {std::string(pair.at(0).bytes), value.number == 1 ? std::string(value.bytes) : std::to_string(value.value)};
}

/// A span as a receiver sees it.
struct decoded_span {
    std::string trace, id, parent, state, name;  ///< Ids in hexadecimal.
    std::uint64_t kind = 0, start = 0, end = 0, flags = 0;
    std::map<std::string, std::string> attributes;  ///< Numbers as decimal text.
    std::vector<std::string> events;                ///< Names of the events.
    bool failed = false;
    std::string why;
};

inline decoded_span decoded(std::string_view message) {
    decoded_span made;
    for (const auto& f : fields_of_message(message)) {
        switch (f.number) {
            case 1: made.trace = base::hex(f.bytes); break;
            case 2: made.id = base::hex(f.bytes); break;
            case 3: made.state = f.bytes; break;
            case 4: made.parent = base::hex(f.bytes); break;
            case 5: made.name = f.bytes; break;
            case 6: made.kind = f.value; break;
            case 7: made.start = f.value; break;
            case 8: made.end = f.value; break;
            case 9: made.attributes.insert(attribute_of(f.bytes)); break;
            case 11: made.events.emplace_back(fields_of_message(f.bytes).at(1).bytes); break;
            case 15:
                for (const auto& part : fields_of_message(f.bytes)) {
                    if (part.number == 2) made.why = part.bytes;
                    if (part.number == 3) made.failed = part.value == 2;
                }
                break;
            case 16: made.flags = f.value; break;
            default: break;
        }
    }
    return made;
}

/// A log record as a receiver sees it.
struct decoded_log {
    std::string trace, span;  ///< Ids in hexadecimal.
    std::string severity_text, body;
    std::uint64_t time = 0, severity = 0, flags = 0;
    std::map<std::string, std::string> attributes;  ///< Numbers as decimal text.
};

inline decoded_log decoded_record(std::string_view message) {
    decoded_log made;
    for (const auto& f : fields_of_message(message)) {
        switch (f.number) {
            case 1: made.time = f.value; break;
            case 2: made.severity = f.value; break;
            case 3: made.severity_text = f.bytes; break;
            case 5: made.body = fields_of_message(f.bytes).at(0).bytes; break;
            case 6: made.attributes.insert(attribute_of(f.bytes)); break;
            case 8: made.flags = f.value; break;
            case 9: made.trace = base::hex(f.bytes); break;
            case 10: made.span = base::hex(f.bytes); break;
            default: break;
        }
    }
    return made;
}

/// Takes all ended spans of a recorder, in the order of their ends.
inline std::vector<decoded_span> ended_spans(tracing::recorder& of) {
    std::vector<decoded_span> all;
    for (const auto& one : of.take(~std::size_t{0}, ~std::size_t{0})) all.push_back(decoded(one));
    return all;
}

}  // namespace apus::test
