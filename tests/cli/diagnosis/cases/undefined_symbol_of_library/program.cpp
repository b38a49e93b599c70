// SPDX-License-Identifier: Apache-2.0
extern "C" const char* sqlite3_libversion();

int main() { return sqlite3_libversion()[0]; }
