// SPDX-License-Identifier: Apache-2.0
// error: `event_name` must have 1 to 200 characters of ASCII, without control characters
#include <apus/outbox.hpp>

struct paid {
#ifdef OK
    static constexpr std::string_view event_name = "order paid";
#else
    static constexpr std::string_view event_name = "order\npaid";
#endif
    int order;
};

apus::task<std::string> publish(apus::outbox events, apus::sql::database db) { return events.publish(db, paid{1}); }
