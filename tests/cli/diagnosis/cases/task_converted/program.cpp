// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <apus/app.hpp>
#include <apus/password.hpp>
apus::task<std::string> keep(apus::password_hasher& passwords, std::string p) {
    const std::string k = passwords.hash(p);
    co_return k;
}
