// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace apus::http {

struct exchange;

/// Takes the bytes of a streamed response in place of its carrier, to whom it passes on what it
/// makes of them.
class outlet {
public:
    virtual void write(exchange&, std::string_view bytes) = 0;

protected:
    ~outlet() = default;
};

}  // namespace apus::http
