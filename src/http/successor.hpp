// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

namespace apus::http {

class connection;
struct core;

/// What a connection that has begun with HTTP/1.1 may turn into, on one core.
class successor {
public:
    virtual ~successor() = default;

    /// Goes on with the stream of `before`, which closes itself. `first` are the bytes that it has received.
    virtual void take_over(connection& before, std::string_view first) = 0;
};

/// HTTP/2. Nothing in the library needs it to be there: a program has it if the link asks for this
/// name, as CMake's target does (cmake/library.cmake), and else does not need nghttp2.
[[gnu::weak]] std::unique_ptr<successor> make_http2(core&);

/// Whether the program has HTTP/2.
bool speaks_http2() noexcept;

}  // namespace apus::http
