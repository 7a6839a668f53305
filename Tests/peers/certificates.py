"""The certificates of the tests: an authority, a server and a client, made with the openssl command."""

from __future__ import annotations

import base64
import hashlib
import subprocess
from pathlib import Path

DAYS = 30
PASSWORD = "secret"
"""Of the client's encrypted key."""
AT_LEAST_SECONDS = 24 * 60 * 60
"""A cached certificate must stay valid for this long."""

_EXTENSIONS = """\
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash

[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = DNS:localhost, DNS:example.test, DNS:*.example.test, IP:127.0.0.1, IP:::1
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid

[client]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = clientAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid

[req]
distinguished_name = name
[name]
"""


def ensure(folder: Path) -> None:
    """Leaves ca, server and client, each as .pem and .key, in `folder`; valid ones are kept.

    client-encrypted.key is the client's key again.
    """
    folder.mkdir(parents=True, exist_ok=True)
    configuration = folder / "openssl.cnf"
    is_known = configuration.exists() and configuration.read_text() == _EXTENSIONS
    if is_known and all(_is_valid(folder, name) for name in ("ca", "server", "client")) and _encrypted(folder).exists():
        return
    configuration.write_text(_EXTENSIONS)
    for name, subject in (("ca", "netcore test CA"), ("server", "localhost"), ("client", "netcore test client")):
        _make(folder, name, subject)
    encrypt = ["-aes256", "-passout", f"pass:{PASSWORD}", "-out", _encrypted(folder).name]
    _run(folder, "pkey", "-in", "client.key", *encrypt)


def hashed_folder(folder: Path) -> Path:
    """A folder that holds the authority's certificate under the hash of its name, as OpenSSL looks for it."""
    result = folder / "authorities"
    result.mkdir(exist_ok=True)
    name = _output(folder, "x509", "-hash", "-noout", "-in", "ca.pem").decode().strip()
    (result / f"{name}.0").write_bytes((folder / "ca.pem").read_bytes())
    return result


def pin(certificate: Path) -> str:
    """The pin of a certificate's public key, as RFC 7469 section 2.4 makes it."""
    key = _output(certificate.parent, "x509", "-pubkey", "-noout", "-in", certificate.name)
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-outform", "der"], input=key, check=True, capture_output=True, timeout=60
    ).stdout
    return "sha256//" + base64.b64encode(hashlib.sha256(der).digest()).decode()


def _encrypted(folder: Path) -> Path:
    return folder / "client-encrypted.key"


def _is_valid(folder: Path, name: str) -> bool:
    """Whether the certificate and its key are there, signed by the authority, and good for another day."""
    certificate = folder / f"{name}.pem"
    if not certificate.exists() or not (folder / f"{name}.key").exists():
        return False
    return _openssl(folder, "x509", "-checkend", str(AT_LEAST_SECONDS), "-noout", "-in", certificate.name) and _openssl(
        folder, "verify", "-CAfile", "ca.pem", certificate.name
    )


def _make(folder: Path, name: str, subject: str) -> None:
    """Makes a P-256 key and a certificate for it, signed by the authority, which signs itself."""
    key, request, certificate = f"{name}.key", f"{name}.csr", f"{name}.pem"
    steps = [
        ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", key],
        ["req", "-new", "-config", "openssl.cnf", "-key", key, "-subj", f"/CN={subject}", "-out", request],
        ["x509", "-req", "-in", request, "-days", str(DAYS), "-extfile", "openssl.cnf", "-extensions", name]
        + (["-signkey", key] if name == "ca" else ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"])
        + ["-out", certificate],
    ]
    for step in steps:
        _run(folder, *step)
    (folder / request).unlink()


def _run(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60)


def _output(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60).stdout


def _openssl(folder: Path, *arguments: str) -> bool:
    return subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, timeout=60).returncode == 0
