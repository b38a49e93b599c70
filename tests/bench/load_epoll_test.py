#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests `load` with the epoll fallback, with io_uring forbidden."""

import unittest

import without_io_uring
from answering import OK, Case, always, main
from load_test import Answers, Connections, Requests
from load_troubles_test import Omission, Troubles
from load_websocket_test import WebSockets

# Run manually, `load_epoll_test.py CLASS...` runs all tests of a class.
TRIED = {Answers: "several_in_one_packet that_end_with_the_connection of_a_megabyte",
         Connections: "that_the_server_ends_properly several_threads",
         Requests: "a_file_that_takes_its_time", Troubles: "an_unreachable_server no_response_in_time",
         Omission: "missing_responses_count",
         WebSockets: "echo a_long_message"}


class Ways(Case):
    def test_are_selected_by_availability(self):
        self.assertEqual(self.of(always(OK))["io"], "epoll")
        self.of(always(OK), "--io", "epoll")
        with self.assertRaisesRegex(AssertionError, "ended with 1.*cannot set up io_uring"):
            self.of(always(OK), "--io", "uring")


def load_tests(_loader, _tests, _pattern):
    return unittest.TestSuite([Ways("test_are_selected_by_availability"),
                               *(each("test_" + name) for each, names in TRIED.items() for name in names.split())])


if __name__ == "__main__":
    without_io_uring.forbid()
    main()
