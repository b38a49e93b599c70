# SPDX-License-Identifier: Apache-2.0
"""A Prometheus of the distribution that scrapes a server, with the configuration of docs/monitoring."""

import contextlib
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import urllib.parse
import urllib.request

from cases import equal

MONITORING = pathlib.Path(__file__).resolve().parents[2] / "docs/monitoring"


class Prometheus:
    def __init__(self, port):
        self.url = f"http://127.0.0.1:{port}/api/v1/"

    def get(self, path, **parameters):
        """Returns the data of a response; None if Prometheus does not answer."""
        try:
            with urllib.request.urlopen(self.url + path + "?" + urllib.parse.urlencode(parameters), timeout=30) as got:
                return json.load(got)["data"]
        except OSError:
            return None

    def values(self, query):
        """Returns the values of an instant query, by labels."""
        found = (self.get("query", query=query) or {"result": []})["result"]
        names = ("route", "status", "core", "client", "engine", "queue")
        return {tuple(sorted((k, v) for k, v in one["metric"].items() if k in names)): float(one["value"][1])
                for one in found}


@contextlib.contextmanager
def prometheus(target, *arguments):
    """Runs Prometheus with the configuration of the guide. Only the target and the intervals differ."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        text = (MONITORING / "prometheus.yml").read_text()
        text = text.replace("127.0.0.1:9090", target).replace("_interval: 15s", "_interval: 1s")
        equal(text.count(target), 2, "the target in a comment and in the configuration")
        (pathlib.Path(folder) / "prometheus.yml").write_text(text)
        shutil.copy(MONITORING / "alerts.yml", folder)
        with (pathlib.Path(folder) / "log").open("w+") as log:
            process = subprocess.Popen(
                ["prometheus", "--config.file", f"{folder}/prometheus.yml", "--storage.tsdb.path", f"{folder}/data",
                 "--web.listen-address", f"127.0.0.1:{port}", *arguments], stdout=log, stderr=log)
            try:
                yield Prometheus(port)
            except AssertionError as error:
                raise AssertionError(f"{error}; Prometheus: {pathlib.Path(log.name).read_text()[-2000:]}") from error
            finally:
                process.terminate()
                process.wait(60)
