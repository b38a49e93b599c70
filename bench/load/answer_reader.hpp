// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "answer_head.hpp"

namespace load {

enum class reading {
    more,
    done,
    bad
};

/// Parses the responses of one connection. The input may be split at any position.
class answer_reader {
public:
    /// Consumes bytes of the current response from the front of `in`.
    /// After `done` the next call begins the next response. `bodiless`: the request was HEAD.
    reading read(std::string_view& in, head_memory& heads, bool bodiless) {
        if (at_ == step::head && part_.empty()) {
            const answer_head* known = heads.find(in);
            if (known && known->status >= 200 && known->body == answer_head::ends::by_length && !bodiless) {
                const auto whole = known->size + known->length;
                if (whole <= in.size() && known->status != 204 && known->status != 304) {
                    head_ = *known;
                    body_ = known->length;
                    if (head_.status != 200) line_ = in.substr(0, in.find('\r'));
                    in.remove_prefix(std::size_t(whole));
                    return reading::done;
                }
            }
        }
        return read_on(in, heads, bodiless);
    }

    /// Returns the remaining bytes of the body, if its length is known; otherwise 0.
    std::uint64_t left() const { return at_ == step::by_length ? left_ : 0; }

    /// Consumes `bytes` of the body, which must not exceed `left()`. Returns true at the end
    /// of the body.
    bool skip(std::uint64_t bytes) {
        left_ -= bytes;
        body_ += bytes;
        if (left_ == 0) at_ = step::head;
        return left_ == 0;
    }

    /// Handles the end of the connection. Returns true if it ends a response without a length.
    bool ended();

    /// Returns true if no byte of the current response has been received.
    bool untouched() const { return at_ == step::head && part_.empty(); }

    void reset();

    const answer_head& head() const { return head_; }
    std::uint64_t body_bytes() const { return body_; }
    std::string_view status_line() const { return line_; }  ///< Empty if the status is 200.

private:
    enum class step : std::uint8_t {
        head,
        by_length,
        by_chunks,
        with_connection
    };
    enum class chunk : std::uint8_t {
        size,
        extension,
        data,
        data_end,
        trailer
    };

    reading read_on(std::string_view& in, head_memory& heads, bool bodiless);
    reading begin_body(const answer_head&, std::string_view text, bool bodiless);
    reading read_chunks(std::string_view& in);
    reading read_chunk_byte(char);
    reading finish();

    step at_ = step::head;
    chunk in_chunk_ = chunk::size;
    bool digits_ = false;     // digits of this chunk's size have been read
    unsigned column_ = 0;     // position in a line of the trailer
    std::uint64_t left_ = 0;  // remaining bytes of the body, or of this chunk
    std::uint64_t body_ = 0;
    answer_head head_;
    std::string part_;  // an incomplete head
    std::string line_;
};

}  // namespace load
