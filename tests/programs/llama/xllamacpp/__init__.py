"""Stands in for the library of llama.cpp's server: the same few names, a real HTTP server, and no model.

The words after "GGUF" in the model file say how it behaves: "fail" cannot be loaded, "die" ends the process, "slow" loads for
a minute, "mute" never answers; all others answer with a word and the names of the environment's variables.
"""

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace


class CommonParams(SimpleNamespace):
    def __init__(self):
        super().__init__(model=SimpleNamespace(path=""), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers["Authorization"] != f"Bearer {self.server.token}":
            return self.answer(401, {"error": {"message": "Invalid API Key"}})
        if "mute" in self.server.model:
            time.sleep(60)
        text = f"ready {' '.join(sorted(os.environ))}"
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
        return self.answer(
            200, {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        )

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


class Server:
    def __init__(self, wanted):
        model = Path(wanted.model.path).read_text()
        if "die" in model:
            os._exit(3)
        if "fail" in model:
            os.write(2, b"0.00.003 E gguf_init_from_reader: failed to read key-value pairs\n")
            raise RuntimeError("Failed to init server, please check the input params.")
        if "slow" in model:
            time.sleep(60)
        server = ThreadingHTTPServer((wanted.hostnames[0], wanted.port), _Handler)
        server.token, server.model, server.daemon_threads = wanted.api_keys[0], model, True
        self.listening_address = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print("listening", file=sys.stderr)
