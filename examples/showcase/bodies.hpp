// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/stream.hpp>

#include <string>

namespace showcase {

/// Sends `?mb=` mebibytes of the letter x, by default 10, as fast as the client reads.
apus::result<apus::response> download(apus::request&);

/// Counts the bytes of a body of any length, without storing them.
apus::task<std::string> upload(apus::request&);

/// A custom protocol on an upgraded connection: sends back received text in capital letters.
apus::task<> shout(apus::request&, apus::writer&);

}  // namespace showcase
