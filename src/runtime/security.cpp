// SPDX-License-Identifier: Apache-2.0
#include "runtime/security.hpp"

#include <apus/serve.hpp>

namespace apus {

void tls_server::keep(runtime::security* s) noexcept { s->keep(); }
void tls_server::let_go(runtime::security* s) noexcept { s->let_go(); }

}  // namespace apus
