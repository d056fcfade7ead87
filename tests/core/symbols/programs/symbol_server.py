#!/usr/bin/env python3
"""A symbol server for tests, with correct and faulty answers: symbol_server.py ROOT [CERTIFICATE_WITH_KEY.pem]

Prints its port, then one line per request. The first part of the path selects the answer, the rest a file below ROOT.
    ok         sends the file, or the requested part of it
    redirect   redirects to ok;  loop: to itself
    slow       sends the file in small pieces with pauses
    cut        closes after the first half, every time;  cut-once: only the first time
    no-range   as cut-once, but then ignores the requested part and sends everything
    changing   as cut-once, but the file has another tag afterwards
    other-part as cut-once, but then sends another part than the requested one
    careless   as changing, but sends the rest of the other file
    stall      sends the first half, then nothing
    wrong      sends the file ROOT/wrong
    error      status 500;  denied: 401, requests a name and a password
    busy       status 503, retry later;  busy-once: only the first time;  limited: status 429, retry in an hour
    gzip       compresses the file, as content encoding
    untagged   as cut-once, but without an entity tag
    endless    sends the file again and again, without a length;  endless-page: the same as a status 500 page
    trickle    sends a byte now and then;  huge: announces 1 TB
    plain      redirects to http://127.0.0.1:PORT/ok, where the file ROOT/port contains PORT
With a certificate it uses https. As a proxy it also answers for every other server.
Missing files: status 404.
"""
import gzip
import http.server
import os
import socketserver
import ssl
import sys
import time

ROOT = sys.argv[1]
SEEN = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        first = SEEN.get(self.path, 0) == 0
        SEEN[self.path] = SEEN.get(self.path, 0) + 1
        asked = self.headers.get("Range", "")
        print("GET", self.path, asked, flush=True)
        path = self.path.split("://", 1)[-1].partition("/")[2] if "://" in self.path else self.path.lstrip("/")
        how, _, name = path.partition("/")
        if how in ("redirect", "loop"):
            return self.redirect("/ok/" + name if how == "redirect" else self.path)
        if how == "plain":
            with open(os.path.join(ROOT, "port")) as file:
                return self.redirect("http://127.0.0.1:%s/ok/%s" % (file.read(), name))
        if how == "error":
            return self.status(500)
        if "Authorization" in self.headers or "Proxy-Authorization" in self.headers:
            print("CREDENTIALS", flush=True)
        if how == "denied":
            return self.status(401)
        if how == "limited":
            return self.status(429, "3600")
        if how == "busy" or (how == "busy-once" and first):
            return self.status(503, "0" if how == "busy-once" else None)
        try:
            with open(os.path.join(ROOT, "wrong" if how == "wrong" else name), "rb") as file:
                content = file.read()
        except OSError:
            return self.status(404)
        if how in ("endless", "endless-page", "trickle", "huge"):
            return self.misbehave(how, content)
        if how == "gzip":
            content = gzip.compress(content)
        tag = '"%d-%s"' % (len(content), "b" if how in ("changing", "careless") and not first else "a")
        begin = 0
        if asked.startswith("bytes=") and how != "no-range" and (
            self.headers.get("If-Range", tag) == tag or how == "careless"
        ):
            begin = int(asked[6:].split("-")[0]) - (1000 if how == "other-part" else 0)
            if begin >= len(content):
                return self.status(416)
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(content) - begin))
        if how != "untagged":
            self.send_header("ETag", tag)
        if how == "gzip":
            self.send_header("Content-Encoding", "gzip")
        if begin:
            self.send_header("Content-Range", "bytes %d-%d/%d" % (begin, len(content) - 1, len(content)))
        self.end_headers()
        self.send(how, first, content[begin:])

    def send(self, how, first, content):
        half = content[: len(content) // 2]
        if how == "cut" or (how in ("cut-once", "no-range", "changing", "untagged", "other-part", "careless") and first):
            self.wfile.write(half)
            self.wfile.flush()
            self.close_connection = True
        elif how == "stall":
            self.wfile.write(half)
            self.wfile.flush()
            time.sleep(60)
        elif how == "slow":
            piece = max(1, len(content) // 20)
            for at in range(0, len(content), piece):
                self.wfile.write(content[at : at + piece])
                self.wfile.flush()
                time.sleep(0.02)
        else:
            self.wfile.write(content)

    def misbehave(self, how, content):
        self.close_connection = True
        self.send_response(500 if how == "endless-page" else 200)
        if how == "huge":
            self.send_header("Content-Length", str(1 << 40))
        self.send_header("ETag", '"m"')
        self.end_headers()
        while True:
            if how == "trickle":
                time.sleep(0.05)
            self.wfile.write(content[:1] if how == "trickle" else content)
            self.wfile.flush()

    def redirect(self, where):
        self.send_response(302)
        self.send_header("Location", where)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def status(self, code, retry_after=None):
        page = b"<html>This is no debug file.</html>"
        self.send_response(code)
        if retry_after:
            self.send_header("Retry-After", retry_after)
        if code == 401:
            self.send_header("WWW-Authenticate", 'Basic realm="symbols"')
            self.send_header("WWW-Authenticate", "Negotiate")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass  # clients hang up on purpose


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print("PORT", server.server_port, flush=True)
server.serve_forever()
