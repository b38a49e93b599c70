// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace apus {
class router;
}

namespace apus::runtime {
class blocking_threads;
}

namespace apus::server {

class blocked_times;

/// Adds the routes `/debug/pprof/...` of the administration: profiles in the format of pprof.
/// The other arguments must outlive the app.
void add_profiles(router&, const blocked_times&, const runtime::blocking_threads&);

}  // namespace apus::server
