// SPDX-License-Identifier: Apache-2.0
#pragma once

// HTML forms as plain structs.
// Annotations: schema.hpp; types with rules: rules.hpp; files: uploaded_file.hpp.

#include <apus/detail/form_values.hpp>
#include <apus/detail/held_value.hpp>
#include <apus/schema.hpp>

namespace apus {

/// Limits of a multipart/form-data body, in addition to `route_limits::body`.
/// Exceeding a limit: 413, with a detail that names the limit. A struct sets its limits by `static constexpr
/// apus::form_limits limits{.file_bytes = 5'000'000};`
///
/// The memory used by a form is at most `parts` times the larger of `field_bytes` and `memory`.
struct form_limits {
    std::uint32_t parts = 100;              ///< Maximum parts, including parts without a field in the struct.
    std::uint64_t field_bytes = 64 * 1024;  ///< Bytes of one part that is not a file.
    std::uint64_t file_bytes = UINT64_MAX;  ///< Bytes of one file. Default: limited by the route only.
    std::uint32_t head_bytes = 4 * 1024;    ///< Bytes of one part's header.
    std::uint32_t file_name_bytes = 255;    ///< Bytes of a file's name, after decoding.
    /// Maximum bytes of a file that is kept in memory. A larger file is written to a temporary file.
    std::uint32_t memory = 64 * 1024;
    /// Folder of temporary files. The text must have static storage. Empty: $TMPDIR, or else /var/tmp.
    std::string_view folder = {};
};

/// The body of a request, sent by an HTML form, as a handler's parameter.
/// Ignores names that T does not have, like `query<T>`. Another Content-Type gets 415, a malformed form 400, a body
/// over `limits::body` 413. Invalid values get 422, with a list of all violations as for `json<T>`.
///
/// The body is application/x-www-form-urlencoded or multipart/form-data (RFC 7578). If T has an `uploaded_file`, only
/// multipart/form-data is accepted. Files are then written to temporary files as they arrive, so the whole body is
/// never in memory; a client that sends faster than the disk writes is slowed down (backpressure). The handler starts
/// when the whole body has arrived; `limits::handler` counts from the end of the head. A file in a text field, or text
/// in a file field, is a violation. If the user has not selected a file, browsers send an empty part without a file
/// name, which counts as no file. All texts are UTF-8, whatever charset a part declares.
template <class T>
struct form : detail::held_value<T> {};

template <class T>
struct detail::slot<form<T>> : detail::form_slot<form<T>, T> {};

}  // namespace apus
