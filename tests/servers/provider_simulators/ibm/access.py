"""Who may ask a simulated IBM: keys, and tokens that run out."""

import base64
import json
import secrets
import threading
import time
from urllib.parse import parse_qs

from tests.servers.provider_simulators.protocol import Refusal, Request, Response

API_KEY = "simulated-ibm-api-key"
CRN = "crn:v1:bluemix:public:quantum-computing:us-east:a/simulated:stichwerk::"
PLAN = "simulated-plan"


class Access:
    """Issues tokens for API keys, and accepts them until they expire or are revoked.

    Args:
        api_key: of the account with the instance `CRN`.
        token_seconds: how long a token lasts.

    Attributes:
        other_instances: the API key of the account of each further instance, by CRN.
    """

    def __init__(self, api_key: str, token_seconds: int) -> None:
        self.api_key = api_key
        self.token_seconds = token_seconds
        self.other_instances: dict[str, str] = {}
        self._issued: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def token(self, request: Request) -> Response:
        """Answer `POST /identity/token`: a token for the API key."""
        (api_key,) = parse_qs(request.body.decode()).get("apikey", [""])
        if api_key != self.api_key and api_key not in self.other_instances.values():
            raise Refusal(400, "BXNIM0415E", "Provided API key could not be found.")
        now = int(time.time())
        token = _jwt({"iat": now, "exp": now + self.token_seconds, "jti": secrets.token_hex(8)})
        with self._lock:
            self._issued[token] = api_key, now + self.token_seconds
        return Response.of_json(
            {
                "access_token": token,
                "refresh_token": "not_supported",
                "token_type": "Bearer",
                "expires_in": self.token_seconds,
                "expiration": now + self.token_seconds,
            }
        )

    def check(self, request: Request) -> str:
        """Return the API key of a request's token.

        Raises:
            Refusal: 401 if the token is missing, unknown or expired.
        """
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        with self._lock:
            api_key, end = self._issued.get(token, ("", 0.0))
        if end < time.time():
            raise Refusal(401, "1217", "The token is not valid or has expired.")
        return api_key

    def check_instance(self, request: Request) -> None:
        """Check that a request's token is of the account with the request's instance.

        Raises:
            Refusal: 401 as `check` does, 403 if it is of another account.
        """
        if instance_of(request) not in self._instances(self.check(request)):
            raise Refusal(403, "1211", "The account has no access to this instance.")

    def revoke(self) -> None:
        """Accept no token issued so far."""
        with self._lock:
            self._issued.clear()

    def issued(self) -> list[str]:
        """Return the tokens that have not been revoked."""
        with self._lock:
            return list(self._issued)

    def instances(self, request: Request) -> Response:
        """Answer `POST /v3/resources/search`: the instances of the account."""
        items = [
            {
                "crn": crn,
                "name": "simulated",
                "tags": [],
                "service_plan_unique_id": PLAN,
                "doc": {"extensions": {"allocated": True}},
            }
            for crn in self._instances(self.check(request))
        ]
        return Response.of_json({"items": items, "limit": 100})

    def _instances(self, api_key: str) -> list[str]:
        own = [CRN] if api_key == self.api_key else []
        return own + [crn for crn, key in self.other_instances.items() if key == api_key]

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


def instance_of(request: Request) -> str:
    """Return the CRN of the instance that a request of the runtime's API is for."""
    return request.headers.get("service-crn", "")


def _jwt(claims: dict[str, object]) -> str:
    parts = (json.dumps(part).encode() for part in ({"alg": "RS256", "typ": "JWT"}, claims))
    encoded = [base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts]
    return ".".join([*encoded, "c2ltdWxhdGVk"])
