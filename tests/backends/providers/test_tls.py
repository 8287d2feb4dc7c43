"""Certificates of providers that cannot be trusted, on a real TLS server over loopback."""

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from backends import UnavailableError, backend_from_spec
from backends.braket.connection import forget
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.providers.braket import SimulatedBraket
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.servers.provider_simulators.server import Server

KEY = "0123456789abcdef" * 2


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Return the files of self-signed certificates by what they are made out to."""
    folder = tmp_path_factory.mktemp("certificates")
    files = {}
    for name, alternative in (
        ("self", x509.IPAddress(ipaddress.ip_address("127.0.0.1"))),
        ("other", x509.DNSName("elsewhere.example")),
    ):
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
            .sign(key, hashes.SHA256())
        )
        files[name] = folder / f"{name}.pem"
        files[name].write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
            + certificate.public_bytes(serialization.Encoding.PEM)
        )
    return files


@pytest.fixture
def secured(certificates, monkeypatch):
    """Return what starts a provider behind a certificate; it must be stopped."""
    servers = []

    def start(provider, name):
        faults = Faults()
        server = Server(provider(faults, Machine(faults)))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates[name])
        server.http.socket = context.wrap_socket(server.http.socket, server_side=True)
        servers.append(server.start())
        return server, server.url.replace("http://", "https://")

    yield start
    for server in servers:
        server.stop()
    forget()


@pytest.mark.parametrize(
    ("name", "trusted", "reason"),
    [
        ("self", False, "self.signed certificate"),
        ("other", True, "IP address mismatch|hostname '127.0.0.1'"),
    ],
)
@pytest.mark.parametrize(
    ("provider", "service", "path", "bundle"),
    [
        (SimulatedIBM, "STICHWERK_IBM_URL", "/api/v1", "REQUESTS_CA_BUNDLE"),
        (SimulatedIBM, "IAM_URL", "/iam", "REQUESTS_CA_BUNDLE"),
        (SimulatedBraket, "AWS_ENDPOINT_URL_BRAKET", "", "AWS_CA_BUNDLE"),
    ],
)
def test_a_certificate_that_is_not_valid_is_told(
    secured, certificates, monkeypatch, name, trusted, reason, provider, service, path, bundle
):
    _, url = secured(provider, name)
    with Server(provider(Faults(), Machine(Faults()))) as plain:
        for variable, value in plain.provider.environment(plain.url).items():
            monkeypatch.setenv(variable, value)
        if trusted:
            monkeypatch.setenv(bundle, str(certificates[name]))
        monkeypatch.setenv(service, f"{url}{path}")
        backend = "ibm:torino" if provider is SimulatedIBM else "braket:garnet"
        with pytest.raises(
            UnavailableError, match=f"certificate .*not valid: .*({reason})"
        ) as error:
            backend_from_spec(backend).find(KEY)
    assert "\n" not in str(error.value)


def test_a_trusted_certificate_is_no_obstacle(secured, certificates, monkeypatch):
    server, url = secured(SimulatedBraket, "self")
    for variable, value in server.provider.environment(url).items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setenv("AWS_CA_BUNDLE", str(certificates["self"]))
    assert backend_from_spec("braket:garnet").find(KEY) == []


def test_a_server_without_tls_is_told(monkeypatch):
    with Server(SimulatedIBM(Faults(), Machine(Faults()))) as server:
        for variable, value in server.provider.environment(server.url).items():
            monkeypatch.setenv(variable, value)
        url = server.url.replace("http://", "https://")
        monkeypatch.setenv("STICHWERK_IBM_URL", f"{url}/api/v1")
        with pytest.raises(UnavailableError, match="IBM's server does not speak TLS"):
            backend_from_spec("ibm:torino").find(KEY)
