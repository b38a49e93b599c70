// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace apus::server {

/// Parses responses of an app under test, which may arrive in pieces.
/// Throws `std::runtime_error` for malformed responses, so that the test fails.
class response_reader {
public:
    void append(std::string_view bytes) { bytes_ += bytes; }
    void end() noexcept { ended_ = true; }  ///< The app has closed the connection.
    bool empty() const noexcept { return bytes_.empty() && stage_ == stage::head; }

    /// Returns the next final response if it is complete.
    /// `to_head`: the request was HEAD, so there is no body.
    std::optional<test::response> next(bool to_head);

    /// Parses the available bytes and returns whether the response is complete.
    /// `now` returns the parsed part.
    bool advance(bool to_head);
    bool has_head() const noexcept { return stage_ != stage::head; }
    test::response& now() noexcept { return now_; }

private:
    enum class stage : unsigned char {
        head,
        sized,
        chunk_size,
        chunk,
        chunk_end,
        trailer,
        until_close,
        done
    };
    bool step(bool to_head);
    bool read_head(bool to_head);
    bool read_sized(stage then);
    bool read_chunk_size();
    bool read_trailer();
    stage body_stage();

    std::string bytes_;
    test::response now_;
    std::size_t left_ = 0;  // bytes missing from the body, or from the current chunk
    stage stage_ = stage::head;
    bool ended_ = false;
};

}  // namespace apus::server
