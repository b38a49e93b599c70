# SPDX-License-Identifier: Apache-2.0
"""Servers and clients with TLS."""

import ssl

import certificates
import h1_exchange
import wire
from server import Server

OLD, NEW = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3


class SecureServer(Server):
    """An HTTPS server with a certificate for localhost that `authority` has signed. The files of the authority are
    removed with the server."""

    def __init__(self, backend, *arguments, tls="none", pairs=None, listen=("https://127.0.0.1:0",), environment=(),
                 authority=None, **options):
        self.authority = authority or certificates.Authority()
        self.pairs = pairs or [self.authority.sign("localhost", "DNS:localhost,IP:127.0.0.1")]
        files = [word for certificate, key in self.pairs for word in ("--certificate", certificate, "--key", key)]
        super().__init__(backend, *map(str, files), *arguments, listen=list(listen),
                         environment={"TEST_TLS": tls, **dict(environment)}, **options)
        self.port = next(int(u.rsplit(":", 1)[1]) for u in self.urls if u.startswith("https://127."))

    def __exit__(self, *why):
        super().__exit__(*why)
        self.authority.__exit__(*why)

    def trusting(self, **options):
        return client_context(self.authority.file, **options)

    def each_version(self, **options):
        """Yields each TLS version (1.2, then 1.3) with a client context that supports only this version."""
        for version in (OLD, NEW):
            yield version, self.trusting(oldest=version, newest=version, **options)

    def refuses(self, context=None):
        """Returns whether a client is refused. In TLS 1.3 the client learns this only when it reads."""
        try:
            with self.connect(context) as client:
                client.get("/tls")
        except (ssl.SSLError, ConnectionError, wire.Closed):
            return True
        return False

    def connect(self, context=None, name="localhost", session=None, **options):
        return SecureWire(("127.0.0.1", self.port), context or self.trusting(), name, session, **options)


def client_context(authorities, oldest=OLD, newest=NEW, shows=None):
    """Returns a client context that trusts these authorities. `shows` is a client certificate and its key."""
    context = ssl.create_default_context(cafile=authorities)
    context.minimum_version, context.maximum_version = oldest, newest
    context.set_alpn_protocols(["http/1.1"])
    if shows:
        context.load_cert_chain(*shows)
    return context


class SecureWire(wire.Wire):
    """A connection over TLS."""

    def __init__(self, address, context, name, session=None, **options):
        super().__init__(address, **options)
        try:
            self.socket = context.wrap_socket(self.socket, server_hostname=name, session=session)
        except BaseException:
            self.socket.close()
            raise


def is_greeted(tls):
    """Continues a handshake. Returns whether it is complete; otherwise, bytes of the server are missing."""
    try:
        tls.do_handshake()
        return True
    except ssl.SSLWantReadError:
        return False


class SecureConnection(h1_exchange.Connection):
    """A TLS connection for cases of h1_cases.json. A half-close sends close_notify first."""

    def __init__(self, address, context):
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_hostname="localhost")
        super().__init__(address)
        while not self.ended and not is_greeted(self._tls):
            self._flush()
            self.listen(10)
        self._flush()

    def _flush(self):
        return super().send(self._out.read())

    def opened(self, data):
        self._in.write(data)
        text = b""
        try:
            while self._tls.version() and (piece := self._tls.read(1 << 18)):
                text += piece
        except ssl.SSLWantReadError:
            pass
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            self.ended = True
        return text

    def send(self, data):
        if data:
            self._tls.write(data)
        return self._flush()

    def send_in_records(self, data, chance):
        """Sends the data in TLS records of random sizes. Each send(2) has several records, or a part of a
        record. After 64 KiB the sizes are large, since a server waits only a few seconds for the rest of a rejected
        request."""
        rest = data[1 << 16:]
        data = data[:1 << 16]
        while data:
            size = chance.choice((1, 2, chance.randint(1, 40), chance.randint(1, 5000)))
            self._tls.write(data[:size])
            data = data[size:]
        torn = self._out.read()
        while torn:
            size = chance.choice((1, chance.randint(1, 100), chance.randint(1, 20_000)))
            if not super().send(torn[:size]):
                return
            torn = torn[size:]
        if rest:
            self.send(rest)

    def half_close(self):
        try:
            self._tls.unwrap()
        except ssl.SSLWantReadError:
            self._flush()
        super().half_close()
