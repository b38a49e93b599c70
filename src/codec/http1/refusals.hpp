// SPDX-License-Identifier: Apache-2.0
#pragma once

// All reasons for which the HTTP/1.1 codec rejects a message. Reasons are compared by address. `status` is the status
// of the response to a rejected request. A rejected response of an upstream leads to a 502.

#include "codec/parsed.hpp"

namespace apus::codec::http1::refusals {

// Lines.
inline constexpr refusal bare_lf{400, "a line ends in LF without CR"};
inline constexpr refusal bare_cr{400, "a CR is not followed by LF"};
inline constexpr refusal empty_lines{400, "too many empty lines before the request line"};

// The request line (RFC 9112, 3).
inline constexpr refusal method_not_token{400, "the method is not a token followed by one space"};
inline constexpr refusal request_line_too_long{414, "the request line is too long"};
inline constexpr refusal target_missing{400, "the request line has no target"};
inline constexpr refusal target_byte{400, "the request target contains a byte that must be percent-encoded"};
inline constexpr refusal target_percent{
    400, "a percent sign in the request target is not followed by two hexadecimal digits"};
inline constexpr refusal target_fragment{400, "the request target has a fragment"};
inline constexpr refusal target_form{400, "the request target has an invalid form"};
inline constexpr refusal target_scheme{400, "the scheme of the request target is not http"};
inline constexpr refusal target_misdirected{421, "the scheme of the request target differs from the connection's"};
inline constexpr refusal target_userinfo{400, "the request target contains user information"};
inline constexpr refusal target_authority{
    400, "invalid authority of the request target: expected a host and an optional port"};
inline constexpr refusal asterisk_without_options{400, "only OPTIONS may use the target *"};
inline constexpr refusal connect_without_authority{400, "invalid target of CONNECT: expected a host and a port"};
inline constexpr refusal version_missing{400, "the request line ends without a version"};
inline constexpr refusal version_malformed{400, "the request line does not end in HTTP/, a digit, a dot and a digit"};
inline constexpr refusal version_unsupported{505, "unsupported HTTP version: this port supports HTTP/1.0 and HTTP/1.1"};

// The status line of a response (RFC 9112, 4).
inline constexpr refusal status_line_too_long{502, "the status line is too long"};
inline constexpr refusal status_line_malformed{
    502, "malformed status line: expected HTTP/, a version, a space and a code from 100 to 599"};
inline constexpr refusal reason_byte{502, "the reason phrase contains a control character"};

// Field lines (RFC 9112, 5).
inline constexpr refusal too_many_fields{431, "there are too many fields"};
inline constexpr refusal fields_too_long{431, "the fields have too many bytes"};
inline constexpr refusal folded_line{400, "a field line begins with white space"};
inline constexpr refusal name_empty{400, "a field line has no name"};
inline constexpr refusal name_byte{400, "a field name is not a token"};
inline constexpr refusal space_before_colon{400, "white space between a field name and its colon"};
inline constexpr refusal colon_missing{400, "a field line has no colon"};
inline constexpr refusal value_byte{400, "a field value contains a control character"};

// Host (RFC 9112, 3.2).
inline constexpr refusal host_missing{400, "the Host header is missing"};
inline constexpr refusal host_repeated{400, "duplicate Host header"};
inline constexpr refusal host_malformed{400, "invalid Host header: expected a host and an optional port"};

// Framing (RFC 9112, 6).
inline constexpr refusal length_malformed{400, "invalid Content-Length: expected digits"};
inline constexpr refusal length_repeated{400, "duplicate Content-Length header"};
inline constexpr refusal length_too_large{413, "Content-Length is over 2^63-1"};
inline constexpr refusal length_and_coding{400, "Transfer-Encoding and Content-Length must not be sent together"};
inline constexpr refusal coding_in_http10{400, "Transfer-Encoding is not allowed in HTTP/1.0"};
inline constexpr refusal coding_repeated{400, "duplicate Transfer-Encoding header"};
inline constexpr refusal coding_malformed{400, "Transfer-Encoding is not a list of codings"};
inline constexpr refusal coding_not_last{400, "chunked must be the last transfer coding, once and without parameters"};
inline constexpr refusal coding_unknown{501, "unsupported transfer coding: only chunked is supported"};

// Expect (RFC 9110, 10.1.1).
inline constexpr refusal expectation_unknown{417, "unsupported expectation: only 100-continue is supported"};

// Chunks (RFC 9112, 7.1).
inline constexpr refusal chunk_size_missing{400, "a chunk has no size"};
inline constexpr refusal chunk_size_junk{400, "a chunk size must be followed by CRLF or an extension"};
inline constexpr refusal chunk_size_zeros{400, "a chunk size has too many leading zeros"};
inline constexpr refusal chunk_too_large{413, "a chunk size is over 2^63-1"};
inline constexpr refusal chunk_extension{400, "a chunk extension is malformed"};
inline constexpr refusal chunk_extension_too_long{400, "the extensions of a chunk are too long"};
inline constexpr refusal chunk_extensions_too_long{400, "the chunk extensions of the body have too many bytes"};
inline constexpr refusal chunk_end{400, "the data of a chunk is not followed by CRLF"};

}  // namespace apus::codec::http1::refusals
