// SPDX-License-Identifier: Apache-2.0
#include "middleware/encoded_stream.hpp"

#include <stdexcept>
#include <utility>

namespace apus::middleware {
namespace {

constexpr std::size_t much = 32 * 1024;  // above this, encoded bytes are sent before the event loop iteration ends

}  // namespace

std::unique_ptr<compression::encoder> encoder_pool::take(content_coding coding) {
    auto& spare = spare_[std::to_underlying(coding)];
    if (!spare.empty()) {
        auto found = std::move(spare.back());
        spare.pop_back();
        return found;
    }
    spare.reserve(max_spare);
    const int level = coding == content_coding::gzip ? levels_.gzip
                      : coding == content_coding::br ? levels_.br
                                                     : levels_.zstd;
    return compression::make_encoder(coding, level);
}

void encoder_pool::give(content_coding coding, std::unique_ptr<compression::encoder> e) noexcept {
    auto& spare = spare_[std::to_underlying(coding)];
    if (spare.size() < max_spare) spare.push_back(std::move(e));
}

// Inserts the encoder between the producer's writer and the connection while the producer's task exists.
struct encoded_stream::attached {
    encoded_stream& self;

    attached(encoded_stream& s, http::exchange& x) : self(s) {
        self.of_ = &x;
        self.below_ = std::exchange(x.out_filter, static_cast<http::write_filter*>(&self));
    }
    attached(const attached&) = delete;
    attached& operator=(const attached&) = delete;
    ~attached() {
        if (!self.of_) return;
        self.of_->out_filter = self.below_;
        runtime::loop::current().forget(self);
        self.of_ = nullptr;
    }
};

detail::producer encoded_stream::wrap(detail::producer inner, content_coding coding, encoder_pool& pool) {
    detail::producer outer{new encoded_stream(inner, coding, pool), &encoded_stream::produce,
                           [](void* self) { delete static_cast<encoded_stream*>(self); }};
    ++pool.streams;
    return outer;
}

encoded_stream::~encoded_stream() {
    inner_.destroy(inner_.self);
    --pool_.streams;
}

task<> encoded_stream::produce(void* self, request& req, detail::writer_core& out) {
    auto& s = *static_cast<encoded_stream*>(self);
    s.run = [](runtime::deferred& d) noexcept { static_cast<encoded_stream&>(d).flush(); };
    s.encoder_ = s.pool_.take(s.coding_);
    attached now(s, detail::exchange_of(req));
    co_await s.inner_.run(s.inner_.self, req, out);
    if (s.broken_) throw std::runtime_error("a stream could not be compressed");
    s.encoder_->put({}, compression::then::end, s.made_);
    s.forward();
    s.encoder_->restart();
    s.pool_.give(s.coding_, std::move(s.encoder_));
}

void encoded_stream::write(http::exchange&, std::string_view bytes) {
    if (broken_) throw std::runtime_error("a stream could not be compressed");
    encoder_->put(bytes, compression::then::more, made_);
    if (made_.size() >= much) forward();
    runtime::loop::current().later(*this);
}

void encoded_stream::flush() noexcept {
    try {
        encoder_->put({}, compression::then::flush, made_);
        forward();
    } catch (...) {
        broken_ = true;  // the producer gets the error when it resumes
    }
}

void encoded_stream::forward() {
    if (made_.empty()) return;
    if (below_) below_->write(*of_, made_);
    else of_->via->write(*of_, made_);
    made_.clear();
}

}  // namespace apus::middleware
