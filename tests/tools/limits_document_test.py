# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/limits.md match the headers: names, order, defaults, statuses."""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The comment of a member is above the member, or behind it if both fit in one line.
MEMBER = re.compile(r"((?:^    /// .*\n)*)^    [\w:]+ (\w+) = ([^;]*);(?:\s*///< (.*))?$", re.M)


def struct(name, header="limits.hpp"):
    """Returns the members of a struct in a public header, as {name: (default, comment)}."""
    text = (ROOT / "include/apus" / header).read_text()
    body = re.search(rf"^struct {name} {{\n(.*?)^}};", text, re.M | re.S).group(1)
    members = {m[2]: (m[3], m[4] or m[1].replace("///", " ")) for m in MEMBER.finditer(body)}
    declared = re.findall(r"^    \w.*;", body, re.M)
    if len(members) != len(declared) or not all(comment.strip() for _, comment in members.values()):
        raise AssertionError(f"a member of {name} is not understood:\n{body}")
    return members


def shown(default):
    """Formats a default for readers: `8 * 1024` as `8,192`, `seconds(10)` as `10 s`."""
    if time := re.fullmatch(r"seconds\((\d+)\)", default):
        return f"{time[1]} s"
    product = 1
    for factor in default.replace("'", "").split("*"):
        product *= int(factor)
    return f"{product:,}"


def statuses(sentence):
    return set(re.findall(r"\b[45]\d\d\b", sentence))


def table(heading="Limits of the server"):
    """Returns the rows of the first table under a heading of the document, as lists of cells."""
    text = (ROOT / "docs/limits.md").read_text()
    section = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = re.search(r"^((?:\|.*\n)+)", section, re.M).group(1).splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


class LimitsDocument(unittest.TestCase):
    def test_it_has_each_limit_in_the_order_of_the_header(self):
        self.assertEqual([row[0].strip("`") for row in table()], list(struct("limits")))

    def test_defaults_and_statuses_match_the_header(self):
        members = struct("limits")
        for name, default, _, gives, _, why in table():
            with self.subTest(name):
                value, comment = members[name.strip("`")]
                self.assertEqual(default, shown(value))
                self.assertEqual(statuses(gives), statuses(comment))
                self.assertNotEqual(why, "")

    def test_limits_that_a_route_may_set_are_marked(self):
        of_routes = struct("route_limits")
        for name, _, _, _, per_route, _ in table():
            with self.subTest(name):
                self.assertEqual(per_route, "yes" if name.strip("`") in of_routes else "no")

    def test_it_has_the_worst_case_of_each_attack(self):
        sys.path.insert(0, str(ROOT / "tests/e2e"))
        import memory_attacks
        import memory_measure
        measured = (ROOT / "docs/limits.md").read_text().split(memory_measure.BEGIN)[1].split(memory_measure.END)[0]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in measured.splitlines()]
        self.assertEqual(rows[0], memory_measure.COLUMNS)
        self.assertEqual([row[0] for row in rows[2:]], [a.__doc__.rstrip(".") for a in memory_attacks.ATTACKS.values()])
        self.assertEqual({len(row) for row in rows}, {len(memory_measure.COLUMNS)})
        self.assertEqual(shown(struct("limits")["connections"][0]), f"{memory_measure.CONNECTIONS:,}")

    def test_a_measurement_is_good_only_within_all_limits(self):
        sys.path.insert(0, str(ROOT / "tests/e2e"))
        import memory_measure
        import memory_run
        mebi = memory_run.MEBI
        for said, members in (
                ([], {}), ([], {"peak": 110 * mebi}), (["over the budget"], {"peak": 111 * mebi}),
                ([], {"after": memory_run.KEPT}), (["keeps memory"], {"after": memory_run.KEPT + 1}),
                ([], {"p99": 0.1}), (["slow"], {"p99": 0.11}), (["failed requests"], {"failed": 1})):
            with self.subTest(members):
                result = memory_run.Result("Body", "epoll", 1)
                vars(result).update(members)
                self.assertEqual(memory_measure.faults(result, 100 * mebi, 0.1), said)

    def test_it_has_the_limits_of_blocking_work(self):
        members = struct("blocking_limits", "blocking.hpp")
        rows = table("Limits of blocking work")
        self.assertEqual([row[0].strip("`") for row in rows], list(members))
        for name, default, _, gives in rows:
            with self.subTest(name):
                value, comment = members[name.strip("`")]
                self.assertEqual(default, shown(value))
                self.assertEqual(statuses(gives), statuses(comment))


if __name__ == "__main__":
    unittest.main()
