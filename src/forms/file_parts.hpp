// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/file.hpp"

#include <apus/uploaded_file.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace apus::forms {

/// The data of a file: bytes, or a descriptor.
/// Both are immutable, so any thread may read them.
struct file_data {
    std::uint64_t size = 0;
    std::string bytes;  ///< The content if there is no temporary file.
    runtime::file_ref file;
};

/// Representation of an `uploaded_file`.
struct file_parts {
    std::string client_name;
    std::string media_type;
    std::shared_ptr<const file_data> data;  // shared with threads that read or save it, in any order

    static void put(uploaded_file& to, file_parts made) {
        uploaded_file fresh;
        fresh.parts_ = new file_parts(std::move(made));
        to = std::move(fresh);
    }
};

}  // namespace apus::forms
