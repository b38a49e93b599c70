// SPDX-License-Identifier: Apache-2.0
#include "codec/json/pointer.hpp"

#include <algorithm>

namespace apus::codec::json {

bool take_reference(std::string_view& pointer, std::string& token) {
    token.clear();
    if (!pointer.starts_with('/')) return pointer = {}, false;
    pointer.remove_prefix(1);
    const std::size_t size = std::min(pointer.find('/'), pointer.size());
    bool valid = true;
    for (std::size_t i = 0; i < size; ++i) {
        const char next = pointer[i] == '~' && i + 1 < size ? pointer[i + 1] : '\0';
        const bool escaped = next == '0' || next == '1';
        valid = valid && (pointer[i] != '~' || escaped);
        token += !escaped ? pointer[i] : next == '0' ? '~' : '/';
        i += escaped;
    }
    pointer.remove_prefix(size);
    return valid;
}

}  // namespace apus::codec::json
