// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/request_board.hpp"

#include <apus/app.hpp>

namespace apus::server {

/// Returns an app with `/debug/requests` and the page `/debug`. The board must outlive the app.
app debug_endpoints(request_board&);

/// A filter that accepts requests whose host is `localhost`, a subdomain of it, or an IP address.
/// Others get 421. Otherwise, a page of another site could read these routes by DNS rebinding: the host name of its
/// site would resolve to this address after the page has been loaded.
result<void> require_local_host(request&);

}  // namespace apus::server
