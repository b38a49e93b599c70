// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/record_layer.hpp"
#include "tls/openssl.hpp"

#include <string_view>

namespace apus::tls {

/// Memory that a custom BIO reads and writes in place of a socket during an OpenSSL call.
struct record_channel {
    std::string_view* in = nullptr;  ///< Received bytes, consumed from the front; may be null.
    runtime::record_output* out = nullptr;
};

/// Creates the method table for these BIOs. The table must outlive them.
bio_method make_record_bio_method();

/// Creates a BIO on `channel`, which must outlive it. Throws `std::bad_alloc`.
BIO* new_record_bio(const BIO_METHOD&, record_channel& channel);

}  // namespace apus::tls
