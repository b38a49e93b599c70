// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/encoder.hpp"
#include "http/exchange.hpp"
#include "runtime/loop.hpp"

#include <memory>
#include <string>
#include <vector>

namespace apus::middleware {

/// Encoders of one core, which are reused for many bodies.
class encoder_pool {
public:
    struct levels {
        int gzip, br, zstd;
    };
    explicit encoder_pool(levels l) noexcept : levels_(l) {}

    std::unique_ptr<compression::encoder> take(content_coding);
    void give(content_coding, std::unique_ptr<compression::encoder>) noexcept;

    unsigned streams = 0;  ///< Number of streams that are open.

private:
    static constexpr std::size_t spare_most = 2;  // per coding: further encoders are destroyed

    levels levels_;
    std::vector<std::unique_ptr<compression::encoder>> spare_[5];
};

/// The producer of a compressed streamed response.
/// Output is flushed at the end of the loop's turn: more output may follow before, and a flush for each piece would
/// increase the size.
class encoded_stream final : http::write_filter, runtime::deferred {
public:
    /// Takes ownership of `inner`. `pool` must outlive the result.
    static detail::producer wrap(detail::producer inner, content_coding, encoder_pool& pool);

    encoded_stream(const encoded_stream&) = delete;
    encoded_stream& operator=(const encoded_stream&) = delete;
    ~encoded_stream();

private:
    struct attached;

    encoded_stream(detail::producer inner, content_coding coding, encoder_pool& pool)
        : inner_(inner), coding_(coding), pool_(pool) {}

    static task<> produce(void* self, request&, detail::writer_core&);
    void write(http::exchange&, std::string_view bytes) override;
    void flush() noexcept;
    void pass_on();

    detail::producer inner_;
    content_coding coding_;
    encoder_pool& pool_;
    std::unique_ptr<compression::encoder> encoder_;
    http::exchange* of_ = nullptr;  // set while the producer runs
    http::write_filter* below_ = nullptr;
    std::string made_;
    bool broken_ = false;
};

}  // namespace apus::middleware
