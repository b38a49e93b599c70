// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/record_layer.hpp"
#include "tls/openssl.hpp"

#include <string_view>

namespace apus::tls {

/// What a BIO of ours reads and writes while a call of OpenSSL lasts, in place of a socket.
struct record_channel {
    std::string_view* in = nullptr;  ///< Null, or what has arrived: taken from the front.
    runtime::record_output* out = nullptr;
};

/// What such BIOs do. It must outlive them.
bio_method make_record_bio_method();

/// One that uses `channel`, which must outlive it. Throws `std::bad_alloc`.
BIO* new_record_bio(const BIO_METHOD&, record_channel& channel);

}  // namespace apus::tls
