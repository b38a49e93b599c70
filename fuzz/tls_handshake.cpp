// SPDX-License-Identifier: Apache-2.0
#include "tls/server_security.hpp"

#include "property.hpp"

#include <apus/tls.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// Arbitrary input of a TLS client. The first byte of the input selects the split.

namespace {

using namespace apus;
using apus::fuzz::must;
using state = runtime::record_layer::state;

struct counted final : runtime::record_output {
    void append(std::string_view sealed) override { size += sealed.size(); }
    std::size_t size = 0;
};

server_tls& secure() {
    static server_tls made = [] {
        server_tls_options options;
        options.self_signed = true;
        server_tls s(options);
        must(s->open(true).has_value(), "the self-signed certificate is created");
        return s;
    }();
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t max_answers = 32 * 1024;
    if (size < 1) return 0;
    const std::string_view all(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t step = data[0] ? data[0] : std::max<std::size_t>(all.size(), 1);
    const auto layer = secure()->accept(1);
    must(layer != nullptr, "all earlier handshakes are released");
    counted out;
    std::string into(4096, '\0');
    for (std::size_t at = 0; at < all.size(); at += step) {
        std::string_view sealed = all.substr(at, step);
        const bool failed = layer->now() == state::failed;
        while (layer->open(sealed, into, out) > 0)
            must(layer->now() == state::secure, "only a completed handshake returns data");
        must(sealed.empty() || layer->now() == state::failed || layer->peer_ended(),
             "input is left unread only after a failure or the peer's end");
        must(!failed || layer->now() == state::failed, "a failed layer remains failed");
    }
    must(out.size <= max_answers, "the server sends at most 32 KiB");
    layer->end(out);
    return 0;
}
