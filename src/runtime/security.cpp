// SPDX-License-Identifier: Apache-2.0
#include "runtime/security.hpp"

#include <apus/client.hpp>
#include <apus/serve.hpp>

namespace apus {

void server_tls::keep(runtime::server_security* s) noexcept { s->keep(); }
void server_tls::let_go(runtime::server_security* s) noexcept { s->let_go(); }
void client_tls::keep(runtime::client_security* s) noexcept { s->keep(); }
void client_tls::let_go(runtime::client_security* s) noexcept { s->let_go(); }

}  // namespace apus
