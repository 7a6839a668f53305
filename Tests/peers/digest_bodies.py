"""httpbin with a route that asks for Digest and reads a body, by httpbin's own functions: its /digest-auth takes none.

POST /digest-bodies/QOP/USER/PASSWORD/ALGORITHM   JSON: size and SHA-256 of the body; 401 for others
"""

from __future__ import annotations

import hashlib

from flask import Response, jsonify, request
from httpbin import app
from httpbin.helpers import check_digest_auth, digest_challenge_response


@app.route("/digest-bodies/<qop>/<user>/<password>/<algorithm>", methods=["POST"])
def digest_bodies(qop: str, user: str, password: str, algorithm: str) -> Response:
    body = request.get_data()
    if not check_digest_auth(user, password):
        return digest_challenge_response(app, qop, algorithm)
    return jsonify(size=len(body), sha256=hashlib.sha256(body).hexdigest())
