// SPDX-License-Identifier: Apache-2.0
#pragma once

// A form of HTML as a plain struct. What the struct may say is in schema.hpp, types with rules are in
// rules.hpp, and files in uploaded_file.hpp.

#include <apus/detail/form_values.hpp>
#include <apus/detail/held_value.hpp>
#include <apus/schema.hpp>

namespace apus {

/// What a form of multipart/form-data may be, beside `route_limits::body`, which bounds all of it.
/// Over each of these: 413, with a sentence that says which. A struct says it of itself by
/// `static constexpr apus::form_limits limits{.file_bytes = 5'000'000};`
///
/// What a form holds in memory is at most `parts` times the larger of `field_bytes` and `memory`.
struct form_limits {
    std::uint32_t parts = 100;              ///< Parts, also those that the struct has no field for.
    std::uint64_t field_bytes = 64 * 1024;  ///< Of one part that is no file.
    std::uint64_t file_bytes = UINT64_MAX;  ///< Of one file. The default leaves it to the route's limit.
    std::uint32_t head_bytes = 4 * 1024;    ///< Of one part's header.
    std::uint32_t file_name_bytes = 255;    ///< Of a file's name, as it was before it was sent.
    /// Bytes of a file that stay in memory. A larger one goes to a temporary file.
    std::uint32_t memory = 64 * 1024;
    /// Where temporary files are; must be static. Empty: $TMPDIR, or else /var/tmp.
    std::string_view folder = {};
};

/// The body of a request, sent by a form, as a handler's parameter. It is read as `query<T>` is: names
/// that T has not are passed over. 415 for another Content-Type, 400 for what is no form, 422 with a
/// list of all that is wrong, as `json<T>` has it, for values that do not fit. A body over
/// `limits::body` is a 413.
///
/// It is application/x-www-form-urlencoded or multipart/form-data (RFC 7578). A T with a field of
/// `uploaded_file` takes the latter only, and its body is never in memory as a whole: it goes to
/// temporary files as it comes, and a client that sends faster than the disk writes is held back.
/// The handler starts when all of it is there; `limits::handler` counts from the end of the head. A
/// file for a field that is none, and a text for one that is, are faults; of a form whose user has
/// chosen no file, browsers send an empty one without a name, which counts as none. The texts of all
/// parts are UTF-8, whatever they say of themselves.
template <class T>
struct form : detail::held_value<T> {};

template <class T>
struct detail::slot<form<T>> : detail::form_slot<form<T>, T> {};

}  // namespace apus
