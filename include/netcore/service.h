/**
 * What a client says once for all its requests: services (named servers, with a base URL for each environment), common header
 * fields and common parameters. All of it may be changed at any time, from any thread: it holds for requests dispatched from
 * then on.
 */
#ifndef NETCORE_SERVICE_H
#define NETCORE_SERVICE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/**
 * Names a server by a base URL for an environment, such as "test", "development" or "release"; once for each environment. What
 * was said before of the same two is replaced. The first service and the first environment are selected.
 *
 * @param base_url  Absolute. A folder, with or without a slash at its end: relative URLs of requests are below its path
 *                  (netcore_request_create_relative()).
 * @param cdn_url   A second base URL, for requests that ask for it (netcore_request_set_use_cdn()); null for none.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, empty, or not UTF-8),
 *         NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_add_service(netcore_client client, const char *service,
                                                      const char *environment, const char *base_url,
                                                      const char *cdn_url);

/** Selects a service. @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT, NETCORE_ERR_NOT_FOUND.
 *  Since 0.1. */
NETCORE_API netcore_status netcore_client_select_service(netcore_client client, const char *service);

/** Selects an environment. As netcore_client_select_service(). Since 0.1. */
NETCORE_API netcore_status netcore_client_select_environment(netcore_client client, const char *environment);

/** Selects the service that was added after the selected one, and after the last the first.
 *  @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (the client has none). Since 0.1. */
NETCORE_API netcore_status netcore_client_select_next_service(netcore_client client);

/** The same for environments. Since 0.1. */
NETCORE_API netcore_status netcore_client_select_next_environment(netcore_client client);

/** Hears of a switch: the service and the environment that are selected now. The texts are borrowed until it returns. Runs on
 *  the thread that switched, before the call there returns; it may call any function. */
typedef void (*netcore_selection_fn)(const char *service, const char *environment, void *user_data);

/**
 * Sets who hears of each switch of service or environment; null for nobody. Another thread that is switching may still tell the
 * one before.
 *
 * @param user_data  Handed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_selection_listener(netcore_client client, netcore_selection_fn fn,
                                                                 void *user_data, netcore_release_fn release);

/**
 * Sets a field that all requests have which do not have one of that name themselves.
 *
 * @param value  Null removes the field.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_header(netcore_client client, const char *name, const char *value);

/**
 * Sets a parameter that all requests have which do not have one of that name themselves (netcore_request_add_param()).
 *
 * @param value  Null removes the parameter.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_param(netcore_client client, const char *name, const char *value);

NETCORE_END_DECLS

#endif
