# SPDX-License-Identifier: Apache-2.0
"""usage: lies.py COMMAND... with $PORT: a server behind https whose /endless has no end, and whose rest is at
http://."""
import http.server
import os
import ssl
import subprocess
import sys
import threading


class Lies(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if not self.path.startswith("/endless"):
            self.send_response(302)
            self.send_header("Location", "http://localhost:1/")
            self.end_headers()
            return
        self.send_response(200)
        self.end_headers()
        try:
            while True:
                self.wfile.write(b"#" * 65536)
        except OSError:
            pass  # the other side has enough

    def log_message(self, *_):
        pass


with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Lies) as server:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain("server.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = subprocess.run(sys.argv[1:], env=os.environ | {"PORT": str(server.server_port)}, text=True,
                          stderr=subprocess.STDOUT, stdout=subprocess.PIPE)
    print(done.stdout.replace(str(server.server_port), "PORT").replace(os.uname().machine, "MACHINE"), end="",
          flush=True)
    os._exit(done.returncode)
