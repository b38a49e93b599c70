// SPDX-License-Identifier: Apache-2.0
struct session {
    session() = default;
    session(const session&) = delete;
};

void keep(session);

void both(session& s) { keep(s); }
