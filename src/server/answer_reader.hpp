// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/test.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace apus::server {

/// Takes whole answers off the bytes that an app has sent. Meant for answers of our own making:
/// what is not one throws `std::runtime_error`, for a test to fail by.
class answer_reader {
public:
    void append(std::string_view bytes) { bytes_ += bytes; }
    void end() noexcept { ended_ = true; }  ///< The app has closed the connection.
    bool empty() const noexcept { return bytes_.empty(); }

    /// The next final answer, if all of it is there. `to_head`: it answers HEAD, so it has no body.
    std::optional<test::answer> next(bool to_head);

private:
    std::optional<std::size_t> read_body(test::answer&, std::size_t at) const;
    std::optional<std::size_t> read_chunks(test::answer&, std::size_t at) const;

    std::string bytes_;
    bool ended_ = false;
};

}  // namespace apus::server
