# SPDX-License-Identifier: Apache-2.0
"""serve.py FOLDER COMMAND...: runs a command while https://localhost:$PORT serves the folder, as server.pem."""
import functools
import http.server
import os
import ssl
import subprocess
import sys
import threading


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=sys.argv[1]))
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("server.pem")
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
done = subprocess.run(sys.argv[2:], env={**os.environ, "PORT": str(server.server_port)}, text=True,
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
print(done.stdout.replace(str(server.server_port), "PORT").replace(os.uname().machine, "MACHINE"), end="")
sys.exit(done.returncode)
