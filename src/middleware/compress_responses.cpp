// SPDX-License-Identifier: Apache-2.0
#include <apus/compression.hpp>

#include "base/ascii.hpp"
#include "http/list_fields.hpp"
#include "middleware/coding_preferences.hpp"
#include "middleware/compressible.hpp"
#include "middleware/encoded_stream.hpp"

#include <apus/sleep.hpp>
#include <apus/stream.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace apus {
namespace {

// Maximum size of a body that is compressed at once, which takes about 2 ms. Larger bodies are compressed in slices, so
// that other requests are not delayed.
constexpr std::size_t max_whole = 256 * 1024;
constexpr std::size_t slice = 64 * 1024;

void check(const char* name, int level, int least, int most) {
    if (level < least || level > most)
        throw std::invalid_argument("compress_responses: `" + std::string(name) + "` is " + std::to_string(level) +
                                    ", and must be from " + std::to_string(least) + " to " + std::to_string(most));
}

bool may_change(const response& res) {
    const int status = res.status();
    if (status < 200 || status == 204 || status == 205 || status == 206) return false;
    return res.header("content-encoding").empty() && res.header("content-range").empty() &&
           !http::lists(http::whole_field(res, "cache-control"), "no-transform");
}

content_coding coding_for(request& req, const content_coding (&preferred)[3]) {
    constexpr std::string_view name = "accept-encoding";
    middleware::coding_preferences choice;
    for (std::size_t i = 0; i < req.header_count(); ++i) {
        const field_view f = req.header_at(i);
        if (f.name.size() == name.size() && base::equal_ignoring_case(f.name, name)) choice.accept(f.value);
    }
    return choice.best(preferred);
}

void vary(response& res) {
    const std::string before = http::whole_field(res, "vary");
    if (!http::lists(before, "accept-encoding") && !http::lists(before, "*")) res.header("Vary", "Accept-Encoding");
}

void weaken(response& res) {
    const std::string tag(res.header("etag"));
    if (tag.starts_with('"')) res.remove_header("etag").header("ETag", "W/" + tag);
}

// Adjusts the header fields of a response whose body has been encoded.
void mark(response& res, content_coding coding) {
    res.header("Content-Encoding", coding_name(coding));
    res.remove_header("accept-ranges");
    weaken(res);
}

// Gives a 304 response the fields that the 200 response would have (RFC 9110, 15.4.5). If If-None-Match contains the
// weak form of the entity tag, the client's copy is encoded, since responses with an encoded body have weak tags.
void mark_unchanged(const request& req, response& res, bool may_be_coded) {
    vary(res);
    if (!may_be_coded || !res.header("etag").starts_with('"')) return;
    if (http::whole_field(req, "if-none-match").contains("W/" + std::string(res.header("etag")))) weaken(res);
}

// Replaces the body, but keeps the media type.
void put_body(response& res, std::string bytes) {
    const std::string type(res.media_type());
    res.body(std::move(bytes), type);
}

// A large body that is compressed in slices and sent slice by slice.
struct slices {
    std::string owned;
    std::string_view literal;

    task<> operator()(writer& out) const {
        for (std::string_view rest = literal.data() ? literal : std::string_view(owned); !rest.empty();
             rest.remove_prefix(std::min(slice, rest.size()))) {
            co_await out.write(rest.substr(0, slice));
            co_await yield();
        }
    }
};

detail::producer slices_of(response& res) {
    // Copies the body, since its owner is released with the response's producer.
    if (res.producer().self) return detail::make_producer(slices{std::string(res.body()), {}});
    if (res.has_literal()) return detail::make_producer(slices{{}, res.body()});
    return detail::make_producer(slices{std::move(res.bytes()), {}});
}

}  // namespace

struct compress_responses::parts {
    explicit parts(const compress_responses_options& o) : how(o), pool({o.gzip_level, o.br_level, o.zstd_level}) {}

    void compress(request&, response&);

    void stream(response& res, detail::producer from, content_coding coding) {
        const std::string type(res.media_type());
        res.body({}, type);
        mark(res, coding);
        res.produce(middleware::encoded_stream::wrap(from, coding, pool), type);
    }

    void whole(response& res, content_coding coding) {
        std::string out;
        auto encoder = pool.take(coding);
        encoder->whole(res.body(), out);
        pool.give(coding, std::move(encoder));
        if (out.size() >= res.body().size()) return;
        put_body(res, std::move(out));
        mark(res, coding);
    }

    const compress_responses_options how;
    middleware::encoder_pool pool;
};

compress_responses::compress_responses() : compress_responses(compress_responses_options()) {}

compress_responses::compress_responses(const compress_responses_options& how) {
    check("gzip_level", how.gzip_level, 1, 9);
    check("br_level", how.br_level, 0, 11);
    check("zstd_level", how.zstd_level, 1, 19);
    for (auto coding : how.prefer)
        if (coding == content_coding::deflate)
            throw std::invalid_argument(
                "compress_responses: deflate is not supported: use gzip, which every client with deflate supports");
    parts_ = new parts(how);
}

compress_responses::compress_responses(const compress_responses& other) : parts_(new parts(other.parts_->how)) {}
compress_responses::~compress_responses() { delete parts_; }

pending_response compress_responses::operator()(request& req, response& out, next_handler rest) const {
    return rest.run(req, out, [this, &req](response& res) { parts_->compress(req, res); });
}

void compress_responses::parts::compress(request& req, response& res) {
    if (!may_change(res)) return;
    if (res.status() == 304) return mark_unchanged(req, res, coding_for(req, how.prefer) != content_coding::identity);
    const bool streamed = res.streams();
    if ((!streamed && res.body().empty()) || !middleware::compressible(res.media_type())) return;
    vary(res);
    parts& p = *this;
    if (!streamed && res.body().size() < p.how.least) return;
    const auto coding = coding_for(req, p.how.prefer);
    if (coding == content_coding::identity) return;
    if (!streamed && res.body().size() <= max_whole) return p.whole(res, coding);
    if (p.pool.streams >= p.how.streams) return;
    if (streamed) p.stream(res, std::exchange(res.producer(), {}), coding);
    else p.stream(res, slices_of(res), coding);
}

}  // namespace apus
