#!/usr/bin/env python3
"""An application of a shop's customers: shop.py [--folder FOLDER] [--cassette FILE] [--send-rate BYTES] URL [COMMAND]

Without a command it reads commands from standard input, one a line; README.md beside it says which there are. `Shop` is
what an application has of the shop's API; what is below it is the application.
"""

# mypy: disable-error-code=empty-body
from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, ClassVar, Dict, List, Optional, Tuple

import netcore
from netcore.testing import Cassette

BAR_WIDTH = 30


@dataclass(frozen=True)
class Picture:
    id: int
    type: str
    size: int


@dataclass(frozen=True)
class Product:
    id: int
    name: str
    price: int
    """In cents."""
    stock: int
    pictures: List[Picture] = field(default_factory=list)
    """Only in the answer for one product."""


@dataclass(frozen=True)
class Order:
    id: int
    product: int
    count: int
    total: int


@dataclass(frozen=True)
class Tokens:
    access_token: str
    refresh_token: str


LOGGED_OUT = 1303
ERRORS = netcore.ErrorTable(
    [
        netcore.ErrorRow(1301, value=301, message="There is no such product."),
        netcore.ErrorRow(1302, value=302, message="The name or the password is wrong."),
        netcore.ErrorRow(LOGGED_OUT, value=303, message="Please log in first."),
        netcore.ErrorRow(1304, value=304, message="The shop does not have that many."),
        netcore.ErrorRow(1305, value=305, message="Something about that is not as it should be."),
        netcore.ErrorRow(1306, value=306, message="A picture must be a PNG or JPEG file."),
        netcore.ErrorRow(1307, value=307, message="The picture is too large."),
        netcore.ErrorRow(1308, value=308, message="The shop is busy. Please try again in a minute."),
    ],
    code="/code",
)
"""What the code in the body of an error means, and what is shown to people."""


class Session:
    """The tokens of who is logged in, in a file that only this user can read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_text().split("\n") if path.exists() else []
        self.tokens = Tokens(*lines[:2]) if len(lines) >= 2 else None

    def set(self, tokens: Optional[Tokens]) -> None:
        self.tokens = tokens
        text = f"{tokens.access_token}\n{tokens.refresh_token}\n" if tokens else ""
        new = self._path.with_suffix(".new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
        new.replace(self._path)


class Shop(netcore.API):
    """The shop's API, with a client of its own.

    Stored answers belong to everyone: those of a token would be of no use after the next one.

    :param folder: for what is kept between two starts: stored answers and tokens.
    :param cassette: in place of the network, for tests.
    :param send_rate: bytes of an upload per second, at most.
    """

    options: ClassVar[netcore.RequestOptions] = {"errors": ERRORS, "cache_scope": "everyone"}

    def __init__(
        self, url: str, folder: Path, cassette: Optional[Cassette] = None, send_rate: Optional[int] = None
    ) -> None:
        self.base_url = url
        self.send_rate = send_rate
        self._session = Session(folder / "session")
        self._cache = netcore.Cache(folder / "cache", stale_when_disconnected=True)
        self._http = netcore.Client(
            cache=self._cache,
            transport=cassette,
            timeout=netcore.Timeout(connect=5, total=60),
            retries=netcore.Retry(base_delay=0.05, idempotency_keys=True),
        )
        self._http.set_token_source(url, self._token)
        super().__init__(self._http)

    @netcore.endpoint("POST", "login", bare=True)
    def login(self, name: str, password: str) -> Tokens: ...

    @netcore.endpoint("POST", "token", bare=True)
    def renew(self, refresh_token: str) -> Tokens: ...

    @netcore.endpoint("GET", "products")
    def products(self) -> List[Product]:
        """In pages. Without a connection, those of the last visit."""

    @netcore.endpoint("GET", "products/{id}", tag="product:{id}")
    def product(self, id: int) -> Product: ...

    @netcore.endpoint("POST", "orders", invalidates="product:{product}")
    def buy(self, product: int, count: int) -> Order: ...

    @netcore.endpoint("POST", "products/{id}/pictures", invalidates="product:{id}")
    def upload(self, id: int) -> Picture:
        """With the file ``picture``."""

    def log_in(self, name: str, password: str) -> None:
        self._session.set(self.login(name, password))

    def _token(self, refused: Optional[str]) -> Optional[str]:
        """The token for a request; another one after the server refused the last."""
        tokens = self._session.tokens
        if tokens is not None and refused == tokens.access_token:
            try:
                tokens = self.renew(tokens.refresh_token)
            except netcore.ResponseRejected as error:
                if error.application_code != LOGGED_OUT:
                    raise
                tokens = None
            self._session.set(tokens)
        return tokens.access_token if tokens else None

    def close(self) -> None:
        super().close()
        self._http.close()
        self._cache.close()


# The application


def euros(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def line(product: Product) -> str:
    return f"{product.id:4}  {product.name:20} {euros(product.price):>8}  {product.stock} left"


def show_progress(progress: netcore.Progress) -> None:
    if progress.to_send:
        show_share(progress.sent / progress.to_send)


def show_share(share: float) -> None:
    print(f"\r[{'#' * int(share * BAR_WIDTH):{BAR_WIDTH}}] {share:4.0%}", end="", flush=True, file=sys.stderr)


def log_in(shop: Shop, name: str, password: str) -> None:
    shop.log_in(name, password)
    print(f"Welcome, {name}.")


def show_list(shop: Shop) -> None:
    count = 0
    is_stale = False
    for page in shop.products.pages(netcore.Paging("link_header")):
        for product in page.response.decode(List[Product]):
            print(line(product))
            count += 1
        is_stale = is_stale or page.response.cache_result == netcore.CacheResult.STALE_HIT
    print(f"{count} products" + (", as of your last visit: the shop cannot be reached" if is_stale else ""))


def show_product(shop: Shop, number: int) -> None:
    product = shop.product(number)
    print(line(product))
    for picture in product.pictures:
        print(f"      picture {picture.id}: {picture.type}, {picture.size} bytes")


def buy(shop: Shop, number: int, count: int) -> None:
    order = shop.buy(number, count)
    print(f"Order {order.id}: {order.count} for {euros(order.total)}")


def upload(shop: Shop, number: int, path: Path) -> None:
    picture = shop.upload.using(files={"picture": path}, on_progress=show_progress, max_send_rate=shop.send_rate)(
        number
    )
    show_share(1)
    print(file=sys.stderr)
    print(f"Picture {picture.id}: {picture.type}, {picture.size} bytes")


COMMANDS: Dict[str, Tuple[Callable[..., None], Tuple[Callable[[str], Any], ...], str]] = {
    "login": (log_in, (str, str), "login NAME PASSWORD"),
    "list": (show_list, (), "list"),
    "show": (show_product, (int,), "show ID"),
    "buy": (buy, (int, int), "buy ID COUNT"),
    "upload": (upload, (int, Path), "upload ID FILE"),
}


def run(shop: Shop, words: List[str]) -> bool:
    """Runs a command, and returns whether it succeeded."""
    function, kinds, usage = COMMANDS.get(words[0], (None, (), ", ".join(usage for *_, usage in COMMANDS.values())))
    try:
        values = [kind(word) for kind, word in zip(kinds, words[1:])]
        if function is None or len(words) != 1 + len(kinds):
            raise ValueError
    except ValueError:
        print(f"shop: usage: {usage}")
        return False
    try:
        function(shop, *values)
    except netcore.Error as error:
        cause = error.__cause__ if isinstance(error.__cause__, netcore.Error) else error  # the token was not renewed
        print(f"shop: {cause.user_message}")
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description="An application of a shop's customers.")
    parser.add_argument("--folder", type=Path, default=Path(".shop"), help="keeps answers and tokens; default .shop")
    parser.add_argument("--cassette", type=Path, help="an HTTP archive: replayed if there is one, else recorded")
    parser.add_argument("--send-rate", type=int, help="bytes of an upload per second, at most")
    parser.add_argument("url", metavar="URL", help="of the shop's server")
    parser.add_argument("command", nargs="*", help="; ".join(usage for *_, usage in COMMANDS.values()))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    secret = ["password", "access_token", "refresh_token"]
    cassette = Cassette(options.cassette, secret_params=secret) if options.cassette else None
    for code in (netcore.ApplicationCode.CANNOT_CONNECT, netcore.ApplicationCode.TIMEOUT):
        netcore.set_user_message(code, "The shop cannot be reached. Are you online?")
    shop = Shop(options.url, options.folder, cassette, options.send_rate)
    commands = [options.command] if options.command else (line.split() for line in sys.stdin if line.strip())
    succeeded = [run(shop, words) for words in commands]
    shop.close()
    if cassette is not None:
        cassette.save()
    sys.exit(0 if all(succeeded) else 1)


if __name__ == "__main__":
    main()
