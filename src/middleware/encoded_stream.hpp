// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/encoder.hpp"
#include "http/exchange.hpp"
#include "runtime/loop.hpp"

#include <memory>
#include <string>
#include <vector>

namespace apus::middleware {

/// Encoders of one core, which are reused.
class encoder_pool {
public:
    struct levels {
        int gzip, br, zstd;
    };
    explicit encoder_pool(levels l) noexcept : levels_(l) {}

    std::unique_ptr<compression::encoder> take(content_coding);
    void give(content_coding, std::unique_ptr<compression::encoder>) noexcept;

    unsigned streams = 0;

private:
    static constexpr std::size_t max_spare = 2;  // spare encoders kept per coding; further encoders are destroyed

    levels levels_;
    std::vector<std::unique_ptr<compression::encoder>> spare_[5];
};

/// Producer of a compressed streamed response.
/// Output is flushed only at the end of the event loop iteration. Until then, more output may follow, and a flush after
/// each piece would make the body larger.
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
    void forward();

    detail::producer inner_;
    content_coding coding_;
    encoder_pool& pool_;
    std::unique_ptr<compression::encoder> encoder_;
    http::exchange* of_ = nullptr;  // null unless the producer runs
    http::write_filter* below_ = nullptr;
    std::string made_;
    bool broken_ = false;
};

}  // namespace apus::middleware
