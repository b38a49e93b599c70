// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/parsed.hpp"

// Reasons for rejecting malformed multipart/form-data.

namespace apus::codec::multipart::refusals {

inline constexpr refusal boundary_missing{400, "the Content-Type of the form has no boundary"};
inline constexpr refusal boundary_bad{400,
                                      "invalid boundary of the form: expected 1 to 70 characters of RFC 2046, 5.1.1"};
inline constexpr refusal type_bad{400, "malformed Content-Type of the form"};

inline constexpr refusal behind_boundary{400, "a boundary of the form is followed by other text on its line"};
inline constexpr refusal no_empty_line{400, "a part of the form has no empty line after its header"};
inline constexpr refusal head_too_large{413, "the header of a part of the form is too large"};
inline constexpr refusal cut_short{400, "the form ends before its last boundary"};

inline constexpr refusal field_line{400, "a line in the header of a part of the form is not a header field"};
inline constexpr refusal same_field_twice{400, "a part of the form has a duplicate header field"};
inline constexpr refusal disposition_missing{400, "a part of the form has no Content-Disposition"};
inline constexpr refusal disposition_bad{
    400, "the Content-Disposition of a part of the form is malformed, or not form-data"};
inline constexpr refusal name_missing{400, "a part of the form has no name"};
inline constexpr refusal encoded{400,
                                 "a part of the form has a Content-Transfer-Encoding, which is not allowed in forms"};

}  // namespace apus::codec::multipart::refusals
