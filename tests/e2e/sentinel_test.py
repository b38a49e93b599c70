# SPDX-License-Identifier: Apache-2.0
"""Tests the example `counters` with the distribution's Redis: a primary, a replica and three sentinels."""
import time

import server
from cases import case, check, equal, main
from certificates import Authority
from databases import ask
from redis_fleet import Fleet, free_ports
from visits import check_load, counters, load, serves_since

DOWN_AFTER = 1  # seconds until a sentinel regards a primary as down


class Watched(Fleet):
    """A primary, a replica, and three sentinels that have found each other."""

    def __init__(self):
        super().__init__()
        ports = free_ports(5)
        self.data_ports = ports[:2]
        self.primary = self.add(ports[0])
        self.replica = self.add(ports[1], f"replicaof 127.0.0.1 {ports[0]}")
        watched = (f"sentinel monitor main 127.0.0.1 {ports[0]} 2",
                   f"sentinel down-after-milliseconds main {DOWN_AFTER * 1000}", "sentinel failover-timeout main 3000")
        self.sentinels = [self.add(port, sentinel=watched) for port in ports[2:]]

    def ready(self):
        def knows_all(one):
            lines = one.cli("SENTINEL", "MASTER", "main").splitlines()
            return dict(zip(lines[::2], lines[1::2])).items() >= {("num-slaves", "1"), ("num-other-sentinels", "2")}
        check(server.soon(lambda: all(knows_all(one) for one in self.sentinels)), "the sentinels are not ready")
        check(server.soon(lambda: self.replica.info("replication", "master_link_status") == "up"), "no replication")
        return self

    def url(self):
        return "redis+sentinel://" + ",".join(f"127.0.0.1:{one.port}" for one in self.sentinels) + "/main"


def watching(backend, of):
    """Starts the program, which learns the ports of the primaries from the sentinels."""
    return counters(backend, of.ready().url(), connects=of.data_ports)


def promoted(of):
    """Returns whether a sentinel names the former replica: the failover is complete."""
    return any(one.cli("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main").endswith(str(of.replica.port))
               for one in of.sentinels)


@case
def a_primary_that_is_killed_under_load_is_replaced_after_the_failover(backend):
    with Watched() as of, watching(backend, of) as program:
        with load(program.urls[0]) as done:
            check(server.soon(lambda: serves_since(done, 0)), "no response")
            of.primary.kill()
            check(server.soon(lambda: promoted(of)), "no failover")
            at = time.monotonic()
            check(server.soon(lambda: serves_since(done, at)), f"no success: {done[-20:]}")
            check(server.soon(lambda: len(done) > 50 and all(one[2] == 200 for one in list(done)[-50:])),
                  f"{done[-50:]}")
        # `command_timeout` of the example is 2 s; the rest is for a busy machine.
        check_load(done, 10)
        # Replication is asynchronous: visits that were confirmed immediately before the failure may be missing, but all
        # visits that were confirmed after the failover have been counted by the new primary.
        visits = {page["page"]: page["visits"] for page in ask(f"{program.urls[0]}/pages")[1]}
        for number in range(8):
            after = sum(1 for began, _, status, page in done if page == number and status == 200 and began > at)
            check(visits.get(f"page{number}", 0) >= after, f"page {number}: {visits} {after}")


@case
def a_primary_that_hangs_is_replaced_and_ignored_when_it_comes_back(backend):
    with Watched() as of, watching(backend, of) as program:
        with load(program.urls[0]) as done:
            check(server.soon(lambda: serves_since(done, 0)), "no response")
            of.primary.stop()
            try:
                check(server.soon(lambda: promoted(of)), "no failover")
                at = time.monotonic()
                check(server.soon(lambda: serves_since(done, at)), f"no success: {done[-20:]}")
            finally:
                of.primary.resume()
            check(server.soon(lambda: of.primary.info("replication", "role") == "slave"), "still a primary")
            at = time.monotonic()
            check(server.soon(lambda: serves_since(done, at)), f"no success: {done[-20:]}")
        check_load(done, 10)


@case
def a_planned_failover_moves_the_program_although_the_former_primary_runs(backend):
    with Watched() as of, watching(backend, of) as program:
        page = f"{program.urls[0]}/pages/home/visits"
        equal(ask(page, "POST")[0], 200)
        check("name=apus" in of.primary.cli("CLIENT", "LIST"), "connected to the primary")
        equal(of.sentinels[0].cli("SENTINEL", "FAILOVER", "main"), "OK")
        check(server.soon(lambda: promoted(of)), "no failover")
        check(server.soon(lambda: ask(page, "POST")[0] == 200), "no success")
        check(server.soon(lambda: "name=apus" in of.replica.cli("CLIENT", "LIST")), "connected to the new primary")


@case
def one_sentinel_of_three_suffices(backend):
    with Watched() as of, watching(backend, of) as program:
        for one in of.sentinels[:2]:
            one.kill()
        equal(ask(f"{program.urls[0]}/pages/home/visits", "POST")[0], 200)
        of.sentinels[2].kill()
        equal(ask(f"{program.urls[0]}/pages/home/visits", "POST")[0], 200)  # the connection is established


@case
def sentinels_have_an_account_and_certificates_of_their_own(backend):
    with Authority() as authority, Fleet() as fleet:
        certificate, key = authority.sign("localhost", "DNS:localhost")
        port, plain, secure = free_ports(3)
        fleet.add(port, "requirepass server-word")
        fleet.add(plain, "requirepass sentinel-word", f"tls-port {secure}", f"tls-cert-file {certificate}",
                  f"tls-key-file {key}", f"tls-ca-cert-file {authority.file}", "tls-auth-clients no",
                  sentinel=(f"sentinel monitor main 127.0.0.1 {port} 1", "sentinel auth-pass main server-word"))
        url = f"redis+sentinel://:server-word@localhost:{secure}/main"
        right = {"SENTINEL_PASSWORD": "sentinel-word", "SENTINEL_AUTHORITIES": str(authority.file)}
        with counters(backend, url, connects=[port], **right) as program:
            equal(ask(f"{program.urls[0]}/pages")[0], 200)
        for wrong, environment, why in ((url, {**right, "SENTINEL_PASSWORD": "wrong"}, "WRONGPASS"),
                                        (url.replace("server-word", "wrong"), right, "WRONGPASS"),
                                        (url.replace("localhost", "127.0.0.1"), right, "certificate is not trusted"),
                                        (url.replace("/main", "/other"), right, "no valid address for the service")):
            with counters(backend, wrong, connects=[port], **environment) as program:
                equal(ask(f"{program.urls[0]}/pages")[0], 503)
                check(server.soon(lambda: why in program.errors()), f"{why}: {program.errors()}")
                check("-word" not in program.errors(), program.errors())


if __name__ == "__main__":
    main()
