// SPDX-License-Identifier: Apache-2.0
#include "runtime/security.hpp"

#include <apus/client.hpp>
#include <apus/serve.hpp>

namespace apus {

void tls_server::keep(runtime::server_security* s) noexcept { s->keep(); }
void tls_server::let_go(runtime::server_security* s) noexcept { s->let_go(); }
void tls_client::keep(runtime::client_security* s) noexcept { s->keep(); }
void tls_client::let_go(runtime::client_security* s) noexcept { s->let_go(); }

}  // namespace apus
