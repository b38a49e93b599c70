// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace apus::server {

/// Takes answers off the bytes that an app has sent, whole or as they come. Meant for answers of our
/// own making: what is not one throws `std::runtime_error`, for a test to fail by.
class answer_reader {
public:
    void append(std::string_view bytes) { bytes_ += bytes; }
    void end() noexcept { ended_ = true; }  ///< The app has closed the connection.
    bool empty() const noexcept { return bytes_.empty() && stage_ == stage::head; }

    /// The next final answer, if all of it is there. `to_head`: it answers HEAD, so it has no body.
    std::optional<test::answer> next(bool to_head);

    /// Reads as far as there are bytes, and gives whether the answer is whole; `now` is what there is of it.
    bool advance(bool to_head);
    bool has_head() const noexcept { return stage_ != stage::head; }
    test::answer& now() noexcept { return now_; }

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
    test::answer now_;
    std::size_t left_ = 0;  // of the body, or of a chunk
    stage stage_ = stage::head;
    bool ended_ = false;
};

}  // namespace apus::server
