// SPDX-License-Identifier: Apache-2.0
#include "tracing/setup.hpp"

#include <apus/serve.hpp>

namespace apus {

void tracer::keep(tracing::setup* s) noexcept { s->keep(); }
void tracer::let_go(tracing::setup* s) noexcept { s->let_go(); }

}  // namespace apus
