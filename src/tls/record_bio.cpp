// SPDX-License-Identifier: Apache-2.0
#include "tls/record_bio.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace apus::tls {
namespace {

int take_sealed(BIO* bio, char* into, int room) noexcept {
    auto& channel = *static_cast<record_channel*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    if (!channel.in || channel.in->empty()) {
        BIO_set_retry_read(bio);
        return -1;
    }
    const std::size_t n = std::min(channel.in->size(), static_cast<std::size_t>(room));
    std::memcpy(into, channel.in->data(), n);
    channel.in->remove_prefix(n);
    return static_cast<int>(n);
}

int give_sealed(BIO* bio, const char* bytes, int size) {
    auto& channel = *static_cast<record_channel*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    channel.out->append({bytes, static_cast<std::size_t>(size)});
    return size;
}

long control_records(BIO*, int what, long, void*) noexcept { return what == BIO_CTRL_FLUSH; }

}  // namespace

bio_method make_record_bio_method() {
    bio_method made(BIO_meth_new(BIO_TYPE_SOURCE_SINK, "records"));
    if (!made) throw std::bad_alloc();
    BIO_meth_set_read(made.get(), take_sealed);
    BIO_meth_set_write(made.get(), give_sealed);
    BIO_meth_set_ctrl(made.get(), control_records);
    return made;
}

BIO* new_record_bio(const BIO_METHOD& method, record_channel& channel) {
    BIO* bio = BIO_new(&method);
    if (!bio) throw std::bad_alloc();
    BIO_set_data(bio, &channel);
    BIO_set_init(bio, 1);
    return bio;
}

}  // namespace apus::tls
