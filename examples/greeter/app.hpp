// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/app.hpp>

namespace greeter {

apus::app make_app();

}  // namespace greeter
