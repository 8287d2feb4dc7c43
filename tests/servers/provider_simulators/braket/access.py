"""Who may ask a simulated Amazon, and what its S3 and STS answer."""

from collections.abc import Mapping

from tests.servers.provider_simulators.protocol import Refusal, Request, Response

ACCESS_KEY = "SIMULATEDACCESSKEY01"
SECRET_KEY = "simulated-secret-access-key"
ACCOUNT = "000000000000"

EXCEPTIONS: Mapping[int, str] = {
    400: "ValidationException",
    402: "ServiceQuotaExceededException",
    404: "ResourceNotFoundException",
    409: "ConflictException",
    410: "DeviceRetiredException",
    424: "DeviceOfflineException",
    429: "ThrottlingException",
    500: "InternalServiceException",
}
"""Braket's exception of each status, by botocore's model of the service."""


def account_of(request: Request, accounts: Mapping[str, str]) -> str:
    """Return the account that a request is signed for; signatures are not looked at.

    Args:
        request: of a client.
        accounts: by access key.

    Raises:
        Refusal: 403 if it is not signed with one of the access keys.
    """
    authorization = request.headers.get("authorization", "")
    if not authorization.startswith("AWS4-HMAC-SHA256 "):
        raise Refusal(403, "MissingAuthenticationTokenException", "Missing Authentication Token")
    access_key = authorization.partition("Credential=")[2].partition("/")[0]
    if access_key not in accounts:
        raise Refusal(
            403,
            "UnrecognizedClientException",
            "The security token included in the request is invalid.",
        )
    return accounts[access_key]


def signed_region(request: Request) -> str:
    """Return the region that a request was signed for."""
    scope = request.headers["authorization"].partition("Credential=")[2].partition(",")[0]
    return scope.split("/")[2]


def refusal_as_json(refusal: Refusal) -> Response:
    """Return a refusal as Braket words it; S3's and STS's clients see its status only."""
    code = EXCEPTIONS.get(refusal.status, refusal.code)
    body = {"message": refusal.message, **refusal.details}
    return Response.of_json(body, refusal.status, x_amzn_ErrorType=code)


def caller_identity(account: str) -> Response:
    """Return what STS says of an account that asks."""
    body = (
        '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">'
        f"<GetCallerIdentityResult><Account>{account}</Account><UserId>SIMULATED</UserId>"
        f"<Arn>arn:aws:iam::{account}:user/simulated</Arn></GetCallerIdentityResult>"
        "<ResponseMetadata><RequestId>simulated</RequestId></ResponseMetadata>"
        "</GetCallerIdentityResponse>"
    )
    return Response(200, body.encode(), content_type="text/xml")


def store_error(status: int, code: str, message: str) -> Response:
    """Return an error of S3's."""
    body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    return Response(status, body.encode(), content_type="application/xml")
