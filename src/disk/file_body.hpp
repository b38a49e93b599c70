// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/fields/byte_range.hpp"
#include "disk/open_file.hpp"

#include <apus/stream.hpp>

#include <memory>
#include <string>
#include <vector>

namespace apus::disk {

/// A response body of file sections that are not in memory, each with a text before it.
struct file_body {
    struct section {
        std::string text;
        codec::fields::byte_range part;
    };

    explicit file_body(held_file of) : file(std::move(of)) {}

    held_file file;
    std::vector<section> sections;
    std::string end;  ///< Text after the last section.
};

/// Sets the body of `out`, with its length.
void put_body(std::unique_ptr<file_body>, response& out);

/// Writes the bytes of the `open_file` at `self`, for filters that need the body as a stream.
task<> write_held_bytes(void* self, request&, detail::writer_core& out);

}  // namespace apus::disk
