// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>
#include <apus/password.hpp>

#include "store.hpp"

namespace links {

/// Returns a link shortener with accounts; its compile time is measured.
/// `all` must outlive the app.
apus::app make_app(store& all, const apus::password_hasher& passwords);

}  // namespace links
