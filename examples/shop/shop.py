#!/usr/bin/env python3
"""An application of a shop's customers: shop.py [--folder FOLDER] [--cassette FILE] URL [COMMAND]

Without a command it reads commands from standard input, one a line; README.md beside it says which there are.
`ShopClient` is what an application has of the shop's API; what is below it is the application.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import netcore
from netcore.testing import Cassette

BAR_WIDTH = 30
EVERYONE = "everyone"
"""To whom stored answers belong that are the same for all users: they outlast a token."""


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


@dataclass(frozen=True)
class Problem:
    """What the body of an error says."""

    code: int
    message: str


class ShopError(Exception):
    """A request failed: `str(error)` is for people, `code` for programs."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


MESSAGES = {
    301: "There is no such product.",
    302: "The name or the password is wrong.",
    303: "Please log in first.",
    304: "The shop does not have that many.",
    305: "Something about that is not as it should be.",
    306: "A picture must be a PNG or JPEG file.",
    307: "The picture is too large.",
    308: "The shop is busy. Please try again in a minute.",
}
"""What people are told, by the code in the body of an error."""


def explained(error: netcore.Error) -> ShopError:
    """What an application shows for an error."""
    if isinstance(error.__cause__, ShopError):  # raised by the source of tokens
        return error.__cause__
    response = getattr(error, "response", None)
    if isinstance(error, netcore.StatusRejected) and response is not None:
        try:
            code = response.decode(Problem).code
        except netcore.ModelError:
            code = response.status_code
        return ShopError(code, MESSAGES.get(code, f"The shop answered with error {code}."))
    if isinstance(error, (ConnectionError, TimeoutError)):
        return ShopError(error.status, "The shop cannot be reached. Are you online?")
    return ShopError(error.status, f"Something went wrong: {error}")


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


class ShopClient:
    """The shop, with a method for each thing that the application does. Each raises `ShopError`.

    :param folder: for what is kept between two starts: stored answers and tokens.
    :param cassette: in place of the network, for tests.
    :param send_rate: bytes of an upload per second, at most.
    """

    def __init__(
        self, url: str, folder: Path, cassette: Optional[Cassette] = None, send_rate: Optional[int] = None
    ) -> None:
        self._send_rate = send_rate
        self._url = url.rstrip("/")
        self._cache = netcore.Cache(folder / "cache", stale_when_disconnected=True)
        self._client = netcore.Client(
            base_url=self._url,
            cache=self._cache,
            transport=cassette,
            timeout=netcore.Timeout(connect=5, total=60),
            retries=netcore.Retry(base_delay=0.05, idempotency_keys=True),
            accept_statuses="2xx",
        )
        self._session = Session(folder / "session")
        self._client.set_token_source(self._url, self._token)

    def close(self) -> None:
        self._client.close()
        self._cache.close()

    def login(self, name: str, password: str) -> None:
        self._session.set(self._tokens("login", {"name": name, "password": password}))

    def pages(self) -> Iterator[netcore.Page]:
        """The pages of all products; without a connection those of the last visit (`Page.response.cache_result`)."""
        pages = self._client.pages("products", netcore.Paging("link_header"), cache_scope=EVERYONE)
        try:
            yield from pages
        except netcore.Error as error:
            raise explained(error) from error

    def product(self, number: int) -> Product:
        response = self._request("GET", f"products/{number}", cache_scope=EVERYONE, tag=f"product:{number}")
        return response.decode(Product)

    def buy(self, number: int, count: int) -> Order:
        order = {"product": number, "count": count}
        return self._request("POST", "orders", json=order, invalidates=f"product:{number}").decode(Order)

    def upload(self, number: int, path: Path, progress: Callable[[netcore.Progress], Any]) -> Picture:
        return self._request(
            "POST",
            f"products/{number}/pictures",
            files={"picture": path},
            on_progress=progress,
            max_send_rate=self._send_rate,
            invalidates=f"product:{number}",
        ).decode(Picture)

    def _request(self, method: str, path: str, **options: Any) -> netcore.Response:
        try:
            return self._client.request(method, path, **options)
        except netcore.Error as error:
            raise explained(error) from error

    def _token(self, refused: Optional[str]) -> Optional[str]:
        """The token for a request; another one after the server refused the last."""
        tokens = self._session.tokens
        if tokens is None or refused != tokens.access_token:
            return tokens.access_token if tokens else None
        try:
            tokens = self._tokens("token", {"refresh_token": tokens.refresh_token})
        except ShopError as error:
            if error.code != 303:
                raise
            tokens = None
        self._session.set(tokens)
        return tokens.access_token if tokens else None

    def _tokens(self, path: str, body: Any) -> Tokens:
        """Tokens are asked for without a token: by a bare request."""
        url = f"{self._url}/{path}"
        return self._request("POST", url, bare=True, json=body, accept_statuses="2xx").decode(Tokens)


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


def log_in(shop: ShopClient, name: str, password: str) -> None:
    shop.login(name, password)
    print(f"Welcome, {name}.")


def show_list(shop: ShopClient) -> None:
    count = 0
    is_stale = False
    for page in shop.pages():
        for product in page.response.decode(List[Product]):
            print(line(product))
            count += 1
        is_stale = is_stale or page.response.cache_result == netcore.CacheResult.STALE_HIT
    print(f"{count} products" + (", as of your last visit: the shop cannot be reached" if is_stale else ""))


def show_product(shop: ShopClient, number: int) -> None:
    product = shop.product(number)
    print(line(product))
    for picture in product.pictures:
        print(f"      picture {picture.id}: {picture.type}, {picture.size} bytes")


def buy(shop: ShopClient, number: int, count: int) -> None:
    order = shop.buy(number, count)
    print(f"Order {order.id}: {order.count} for {euros(order.total)}")


def upload(shop: ShopClient, number: int, path: Path) -> None:
    picture = shop.upload(number, path, show_progress)
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


def run(shop: ShopClient, words: List[str]) -> bool:
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
    except ShopError as error:
        print(f"shop: {error}")
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
    shop = ShopClient(options.url, options.folder, cassette, options.send_rate)
    commands = [options.command] if options.command else (line.split() for line in sys.stdin if line.strip())
    succeeded = [run(shop, words) for words in commands]
    shop.close()
    if cassette is not None:
        cassette.save()
    sys.exit(0 if all(succeeded) else 1)


if __name__ == "__main__":
    main()
