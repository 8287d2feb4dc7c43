"""Who may ask a simulated IBM: keys, and tokens that run out."""

import base64
import json
import secrets
import threading
import time
from urllib.parse import parse_qs

from backends.provider_simulators.protocol import Refusal, Request, Response

API_KEY = "simulated-ibm-api-key"
CRN = "crn:v1:bluemix:public:quantum-computing:us-east:a/simulated:stichwerk::"
PLAN = "simulated-plan"


class Access:
    """Issues tokens for one API key, and accepts them until they expire or are revoked.

    Args:
        api_key: the only one that is known.
        token_seconds: how long a token lasts.
    """

    def __init__(self, api_key: str, token_seconds: int) -> None:
        self.api_key = api_key
        self.token_seconds = token_seconds
        self._ends: dict[str, float] = {}
        self._lock = threading.Lock()

    def token(self, request: Request) -> Response:
        """Answer `POST /identity/token`: a token for the API key."""
        form = parse_qs(request.body.decode())
        if form.get("apikey") != [self.api_key]:
            raise Refusal(400, "BXNIM0415E", "Provided API key could not be found.")
        now = int(time.time())
        token = _jwt({"iat": now, "exp": now + self.token_seconds, "jti": secrets.token_hex(8)})
        with self._lock:
            self._ends[token] = now + self.token_seconds
        return Response.of_json(
            {
                "access_token": token,
                "refresh_token": "not_supported",
                "token_type": "Bearer",
                "expires_in": self.token_seconds,
                "expiration": now + self.token_seconds,
            }
        )

    def check(self, request: Request) -> None:
        """Refuse a request without a token that is still good."""
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        with self._lock:
            if self._ends.get(token, 0.0) < time.time():
                raise Refusal(401, "1217", "The token is not valid or has expired.")

    def revoke(self) -> None:
        """Accept no token issued so far."""
        with self._lock:
            self._ends.clear()

    def issued(self) -> list[str]:
        """Return the tokens that have not been revoked."""
        with self._lock:
            return list(self._ends)

    def instances(self, request: Request) -> Response:
        """Answer `POST /v3/resources/search`: the one instance of the account."""
        self.check(request)
        item = {
            "crn": CRN,
            "name": "simulated",
            "tags": [],
            "service_plan_unique_id": PLAN,
            "doc": {"extensions": {"allocated": True}},
        }
        return Response.of_json({"items": [item], "limit": 100})

    def plan(self, request: Request) -> Response:
        """Answer `GET /{plan}` of the catalogue."""
        self.check(request)
        return Response.of_json(
            {
                "id": request.parameters["plan"],
                "overview_ui": {"en": {"display_name": "Simulated"}},
                "metadata": {"pricing": {"type": "paid"}},
            }
        )


def _jwt(claims: dict[str, object]) -> str:
    parts = (json.dumps(part).encode() for part in ({"alg": "RS256", "typ": "JWT"}, claims))
    encoded = [base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts]
    return ".".join([*encoded, "c2ltdWxhdGVk"])
