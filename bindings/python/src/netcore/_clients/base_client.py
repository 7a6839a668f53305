"""What both clients offer that neither blocks nor awaits."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Tuple

from .._c import ffi
from .._credentials.cookies import Cookies
from .._credentials.tokens import ChallengeFunction, Credentials, TokenFunction
from .._errors.raising import check
from .._functions.hooks import Hooks
from .._inputs import encode
from .._inputs.encode import header_fields
from .._inputs.kinds import HeadersInput, HeaderValue
from .._requests.breaker import BreakerInfo, read_breakers
from .._requests.rate import Rate, set_rate
from .client_statistics import BudgetInfo, ClientStatistics, read_budgets, read_statistics
from .core import Core
from .filters import Filters
from .headers import ClientHeaders
from .network import set_network
from .observing import CAPACITY, Events
from .options import ClientOptions
from .reachability import Reachability, ReachabilityListener
from .services import SelectionListener, Services


class BaseClient(Filters):
    """Servers by name, what requests have in common, canceling, and what is known of a client."""

    _core: Core
    _services: Services
    _credentials: Credentials
    _cookies: Cookies
    _reachability: Reachability

    def _begin(self, options: ClientOptions) -> None:
        """Makes what there is besides the core."""
        self._services = Services(self._core)
        self._hooks = Hooks(self._core)
        self._credentials = Credentials(self._hooks)
        self._cookies = Cookies(self._core)
        self._reachability = Reachability(self._core)
        cookies = options.get("cookies")
        if isinstance(cookies, Mapping):
            self._cookies.update(cookies)

    # Servers by name

    def add_service(
        self,
        name: str,
        base_url: str,
        *,
        environment: str = "release",
        cdn_url: Optional[str] = None,
        weight: Optional[int] = None,
    ) -> None:
        """Names a server by its base URL for an environment, such as "test" or "release"; again for each environment.

        Relative URLs of requests are below its path, unless the client, or the request, has a `base_url`: below
        "https://example.com/v1", "items" and "/items" are both "https://example.com/v1/items". What was said before of
        the same two names is replaced. The first service and the first environment are selected.

        :param base_url: an absolute URL.
        :param cdn_url: a second one, for requests with ``use_cdn=True``. Default: none.
        :param weight: that of the service, in all environments, among those that may take the place of one that
            `Failover` leaves: the next one is drawn in proportion, from 0 to 1,000,000. Default: as before; at first 0,
            for one that is used when none with a weight can be.
        :raises InvalidURL: a URL is not an absolute http or https URL.
        :raises InvalidRequest: an empty name.
        """
        self._services.add(name, base_url, environment, cdn_url, weight)

    @property
    def service(self) -> Optional[str]:
        """The name of the service that relative URLs go to; None before the first is added. Set it to switch.

        :raises InvalidRequest: the client has no service of that name.
        """
        return self._services.service

    @service.setter
    def service(self, name: str) -> None:
        self._services.select_service(name)

    @property
    def environment(self) -> Optional[str]:
        """The name of the environment whose URLs of services are used. As `service`."""
        return self._services.environment

    @environment.setter
    def environment(self, name: str) -> None:
        self._services.select_environment(name)

    def select_next_service(self) -> str:
        """Selects the service that was added after the selected one, and after the last the first. Returns its name.

        :raises StateError: the client has none.
        """
        return self._services.select_next_service()

    def select_next_environment(self) -> str:
        """The same for environments."""
        return self._services.select_next_environment()

    def service_url(
        self, service: Optional[str] = None, *, environment: Optional[str] = None, use_cdn: bool = False
    ) -> str:
        """The base URL of a service in an environment; of the selected ones where None is given.

        :param use_cdn: the second one, where the service has it.
        :raises InvalidRequest: the client has no such service, or no URL for it.
        """
        return self._services.url(service, environment, use_cdn)

    def on_selection_change(self, listener: Optional[SelectionListener]) -> None:
        """Sets a function that is called at each switch of service or environment; None, the default, for none.

        :param listener: called with the names of service and environment, in the thread that switched, before that call
            there returns; what it raises is raised there. It may use the client.
        """
        self._services.set_listener(listener)

    # What requests have in common

    @property
    def headers(self) -> ClientHeaders:
        """The header fields that the client adds to requests which do not set them: a mapping that can be changed. Set
        it, in any of the shapes of a request's `headers`, to replace them all."""
        return ClientHeaders(self)

    @headers.setter
    def headers(self, headers: HeadersInput) -> None:
        fields = header_fields(headers)
        for name in list(self.headers):
            self.set_header(name, None)
        self._core.add_headers(fields)

    def set_header(self, name: str, value: HeaderValue) -> None:
        """Sets a header field for all requests from now on that have none of that name themselves.

        :param value: replaces all common fields of the name, those given to the constructor too; None removes them. A
            function without parameters gives the value each time that a request is sent: ASCII text, or None for
            no field; see `add_filter` for where it runs and what happens to what it raises.
        :raises InvalidRequest: a name or value that is not allowed.
        """
        self._hooks.set_header(name, value)

    def set_param(self, name: str, value: Any) -> None:
        """Sets a parameter for all requests from now on that have none of that name themselves.

        :param value: as in `params`; replaces all common parameters of the name, None removes them. A function without
            parameters is called each time that a request is sent, as in `set_header`: it returns text, a number, a bool
            or None for no parameter.
        :raises InvalidRequest: the constructor was given a string of `params`.
        """
        self._hooks.set_param(name, value)

    # Who sends requests

    def set_token_source(self, origin: str, function: Optional[TokenFunction]) -> None:
        """Sets where bearer tokens (RFC 6750) for an origin come from.

        Requests to it have the current token, except those with ``bare=True`` or credentials of their own, the client's
        `auth` included. A 401 asks for another one: once for all requests that the old one failed, and each of them is
        sent again once.

        :param origin: a URL, of which scheme, host and port count.
        :param function: called with the token that was refused, or None, returns a token, or None for none: the
            requests then go out without, or end with their 401. What it raises is the ``__cause__`` of a `Refused` with
            which all end that wait for the token; a `Refused` of its own, as in `add_filter`, is that error. None
            removes the source.

        Such functions and that of `on_challenge` run one at a time in a thread of netcore's. They may use any client,
        but wait for requests of this one only with ``bare=True``. `close` waits for one that runs.

        :raises InvalidURL: not an absolute http or https URL.
        :raises TypeError: not a function, or an async one.
        """
        self._credentials.set_token_source(origin, function)

    def on_challenge(self, function: Optional[ChallengeFunction]) -> None:
        """Sets a function that answers a 401: the request is sent again with what the function returns. It is not asked
        for requests with ``bare=True`` or an Authorization field of their own.

        ``client.on_challenge(lambda challenge: ("ann", "secret") if not challenge.failures else None)``

        :param function: called with a `Challenge`, at most three times for each request to an origin; returns
            credentials as in `auth`, or None, which leaves the 401 to the caller. What it raises ends the request, as
            in `set_token_source`. None for none.
        :raises TypeError: not a function, or an async one.
        """
        self._credentials.set_answerer(function)

    @property
    def cookies(self) -> Cookies:
        """The cookies that the client keeps. They go with requests as RFC 6265 says."""
        return self._cookies

    # Rates

    def set_rate(
        self,
        rate: Optional[Rate],
        *,
        host: Optional[str] = None,
        tag: Optional[str] = None,
        key: Optional[str] = None,
        each: Optional[Literal["host", "key"]] = None,
    ) -> None:
        """Sets how many requests may be sent: of the client, or of a scope. A request counts to each scope that it
        belongs to. One that has to wait does so in the queue, which counts to no timeout, or ends with `RateLimited`.

        :param rate: None for any number, the default. Requests that wait are judged anew.
        :param host: the URL of a server, of which scheme, host and port count.
        :param tag: of requests with this `tag`.
        :param key: of requests with this `rate_key`.
        :param each: ``"host"``: of each host, ``"key"``: of each key, where it has no rate of its own.
        :raises InvalidRequest: a figure that is out of range or contradicts another, or more than one scope.
        """
        self._core.usable_requests()
        status = set_rate(self._core.handle, rate, host=host, tag=tag, key=key, each=each)
        if status:
            raise self._core.call_error(status)

    # The network

    def set_network(self, *, interface: Optional[str] = None, is_metered: bool = False) -> None:
        """Says which network is in use. Requests with `allowed_interface` or `allow_metered` are checked against it
        when they are about to be sent; what the cache answers needs no network, and running transfers go on.

        :param interface: the name of the interface in use, such as ``"wlan0"``. None: not known, which allows any.
        :param is_metered: whether bytes cost money.
        :raises InvalidRequest: an empty name.
        """
        self._core.usable_requests()
        status = set_network(self._core.handle, interface, is_metered)
        if status:
            raise self._core.call_error(status)

    # Servers that fail

    @property
    def breakers(self) -> Tuple[BreakerInfo, ...]:
        """How the breakers of the client stand (`Breaker`), sorted by origin: those of servers asked of late."""
        self._core.usable_requests()
        return read_breakers(self._core.handle)

    @property
    def reachability(self) -> str:
        """Whether the network can be reached: ``"reachable"``, ``"unreachable"`` or ``"unknown"``, the default.

        Set it when it changes; ``"unknown"`` leaves it to `watch_network`. While it is ``"unreachable"``, failures are
        not counted against a service (`Failover`), and requests with `wait_for_network` wait; others are sent all the
        same."""
        self._core.usable_requests()
        return self._reachability.value

    @reachability.setter
    def reachability(self, value: str) -> None:
        self._core.usable_requests()
        self._reachability.value = value

    def watch_network(self, watches: bool = True) -> None:
        """Has the client watch the links, addresses and routes of the system, or no more; off by default.

        `reachability` then follows them where it is not set. When the routes to other networks change, or addresses of
        their links, idle connections are dropped, and those in use end after their request; connections to this host
        stay. What changes while nothing is under way is noticed with the next request, or at once if there is a
        function of `on_reachability_change`.

        :raises TypeError: not a bool.
        """
        self._core.usable_requests()
        self._reachability.watch(watches)

    def on_reachability_change(self, listener: Optional[ReachabilityListener]) -> None:
        """Sets a function that is called with the reachability at each change of it, in a thread of netcore's. What it
        raises is logged, and raised by `close`. None for none.

        :raises TypeError: not a function.
        """
        self._core.usable_requests()
        self._reachability.set_listener(listener)

    def log_requests(self, on: bool = True) -> None:
        """Writes a log message (`set_log`) at the beginning and the end of each task from now on, or no more, for
        debugging: with method and URL without its query, how it ended, and how many tasks have not ended.

        :raises TypeError: not a bool.
        """
        self._core.usable_requests()
        check(ffi.client_set_request_log(self._core.handle, encode.flag(on, "on")))

    # What there is to know

    @property
    def statistics(self) -> ClientStatistics:
        """What the client has done since it was made, and what it is doing."""
        self._core.usable_requests()
        return read_statistics(self._core.handle)

    @property
    def retry_budgets(self) -> Tuple[BudgetInfo, ...]:
        """The budgets of retries (`RetryBudget`) that are not full, sorted by origin."""
        self._core.usable_requests()
        return read_budgets(self._core.handle)

    def events(self, *, capacity: int = CAPACITY) -> Events:
        """What happens to the requests of the client from now on, for logs, metrics and traces: see `Events`. A client
        may have several.

        :param capacity: events that wait to be taken, from 1 to 2**20; when more do, the oldest are dropped.
        """
        self._core.usable_requests()
        return Events(self._core.handle, capacity)

    # Canceling

    def cancel(self, id: int) -> bool:
        """Cancels the task of that id, which then ends with `Canceled`. False when it has ended already, or is no task
        of this client's."""
        return self._core.cancel_own(id)

    def cancel_all(self) -> int:
        """Cancels every task of this client that has not ended, and returns their number."""
        return self._core.cancel_all()

    def cancel_tag(self, tag: str) -> int:
        """Cancels the tasks whose request had this `tag`, and returns their number."""
        return self._core.cancel_tag(tag)

    @property
    def base_url(self) -> str:
        """What relative URLs are appended to; "" when there is none."""
        return self._core.requests.base_url

    @property
    def is_closed(self) -> bool:
        """Whether the client was closed."""
        return self._core.is_closed
