// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/credentials.hpp"
#include "crypto/base64.hpp"
#include "middleware/api_key.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

using apus::fuzz::must;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::vector<char> in(data, data + size);
    const std::string_view text(in.data(), in.size());
    if (const auto read = apus::codec::fields::read_credentials(text)) {
        must(text.starts_with(read->scheme) && text.ends_with(read->token),
             "scheme and token are the start and the end of the field");
        must(
            text.find_first_not_of(' ', read->scheme.size()) == text.size() - read->token.size() || read->token.empty(),
            "only spaces separate scheme and token");
        for (const char c : read->token)
            must(c > ' ' && c <= '~' && c != '"' && c != ',', "a token contains only permitted characters");
        if (const auto bytes = apus::crypto::decode_base64(read->token))
            must(apus::crypto::base64(*bytes) == read->token, "decoded credentials have only one encoding");
    }
    const std::string_view id = apus::middleware::id_of_api_key(text);
    must(id.empty() || (id.size() == 16 && text.find(id) != text.npos),
         "the id is a part of the key, with 16 characters");
    return 0;
}
