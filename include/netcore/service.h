/**
 * Defaults of a client for all its requests: services (named servers with a base URL for each
 * environment), default header fields and default parameters. They may be changed at any time, from
 * any thread; changes apply to requests dispatched from then on.
 */
#ifndef NETCORE_SERVICE_H
#define NETCORE_SERVICE_H

#include "base.h"

NETCORE_BEGIN_DECLS

/**
 * Names a server by its base URL in an environment, such as "test", "development" or "release".
 * Called once for each environment; replaces what was set for the same two names. The first service
 * and the first environment are selected.
 *
 * @param base_url  Absolute. A folder, with or without a slash at its end: relative URLs of
 *                  requests are below its path (netcore_request_create_relative()).
 * @param cdn_url   A second base URL, for requests that ask for it (netcore_request_set_use_cdn());
 *                  null for none.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, empty, or not
 *         UTF-8), NETCORE_ERR_INVALID_URL, NETCORE_ERR_INVALID_SCHEME. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_add_service(netcore_client client, const char *service,
                                                      const char *environment, const char *base_url,
                                                      const char *cdn_url);

/**
 * Sets the weight of a service among those that may take the place of one that failover leaves
 * (netcore/failover.h): the next one is drawn in proportion to the weights, so that not all clients
 * go to the same one.
 *
 * @param weight  At most 1,000,000. 0, the default: it is used when none with a weight can be, in
 *                the order in which the services were added.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, empty or too
 *         large), NETCORE_ERR_NOT_FOUND. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_service_weight(netcore_client client,
                                                             const char *service, uint32_t weight);

/**
 * Selects a service.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null or empty),
 *         NETCORE_ERR_NOT_FOUND. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_select_service(netcore_client client,
                                                         const char *service);

/**
 * Selects an environment.
 *
 * @return As netcore_client_select_service(). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_select_environment(netcore_client client,
                                                             const char *environment);

/**
 * Selects the service that was added after the selected one; after the last, the first.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_STATE (the client has no
 *         service). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_select_next_service(netcore_client client);

/**
 * Selects the environment that was added after the selected one; after the last, the first.
 *
 * @return As netcore_client_select_next_service(). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_select_next_environment(netcore_client client);

/**
 * Gets the selected service.
 *
 * @param text      Receives the name, cut to `capacity` bytes including a NUL byte; may be null if
 *                  `capacity` is 0.
 * @param out_size  The size of the whole text without the NUL byte: the text was cut if this is
 *                  `capacity` or more.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_NOT_FOUND (the client has no service). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_selected_service(netcore_client client, char *text,
                                                               size_t capacity, size_t *out_size);

/**
 * Gets the selected environment.
 *
 * @return As netcore_client_get_selected_service(). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_selected_environment(netcore_client client,
                                                                   char *text, size_t capacity,
                                                                   size_t *out_size);

/**
 * Gets a base URL. `text`, `capacity` and `out_size` are as in
 * netcore_client_get_selected_service().
 *
 * @param service      Null for the selected one.
 * @param environment  Null for the selected one.
 * @param use_cdn      1 for the second base URL, if the service has one; else 0.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT,
 *         NETCORE_ERR_NOT_FOUND. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_base_url(netcore_client client, const char *service,
                                                       const char *environment, int32_t use_cdn,
                                                       char *text, size_t capacity,
                                                       size_t *out_size);

/**
 * Is notified of the service and environment that are selected now. Both are borrowed until the
 * function returns. Runs on the thread that selected, before that call returns, or, for a switch by
 * failover (netcore/failover.h), on a thread of the client. It may call any function.
 */
typedef void (*netcore_selection_fn)(const char *service, const char *environment, void *user_data);

/**
 * Sets the function that is notified each time another service or environment is selected. A thread
 * that is selecting at the same time may still notify the function that was set before.
 *
 * @param fn         Null for none.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_selection_listener(netcore_client client,
                                                                 netcore_selection_fn fn,
                                                                 void *user_data,
                                                                 netcore_release_fn release);

/**
 * Sets a default header field, in place of all default fields of that name. It is added to every
 * request that does not set that field itself. A Content-Type is not added to multipart bodies.
 *
 * @param value  Any bytes, as in netcore_request_set_header(). Null removes the field.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_header(netcore_client client, const char *name,
                                                     const char *value);

/**
 * Adds a default header field after those already there, also if there is one of that name.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_HEADER. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_add_header(netcore_client client, const char *name,
                                                     const char *value);

/**
 * Lists the default header fields, in their order. A value that is given by a function is null.
 *
 * @param fn  Called for each inside this call; see netcore_field_fn.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_list_headers(netcore_client client, netcore_field_fn fn,
                                                       void *user_data);

/**
 * Sets a default parameter, in place of all default parameters of that name. It is added to every
 * request that has no parameter of that name (netcore_request_add_param()).
 *
 * @param value  Null removes the parameter.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_param(netcore_client client, const char *name,
                                                    const char *value);

/**
 * Adds a default parameter after those already there, also if there is one of that name: a text, a
 * number, true or false, null, a JSON value, or a list. Values are as in
 * netcore_request_add_param().
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_add_param(netcore_client client, const char *name,
                                                    const char *value);
NETCORE_API netcore_status netcore_client_add_param_int(netcore_client client, const char *name,
                                                        int64_t value);
NETCORE_API netcore_status netcore_client_add_param_double(netcore_client client, const char *name,
                                                           double value);
NETCORE_API netcore_status netcore_client_add_param_bool(netcore_client client, const char *name,
                                                         int32_t value);
NETCORE_API netcore_status netcore_client_add_param_null(netcore_client client, const char *name);
NETCORE_API netcore_status netcore_client_add_param_json(netcore_client client, const char *name,
                                                         const char *value);
NETCORE_API netcore_status netcore_client_add_param_list(netcore_client client, const char *name,
                                                         const char *value);

/**
 * Lists the default parameters, in their order. A value that is given by a function is null.
 *
 * @param fn  Called for each inside this call; see netcore_field_fn.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_list_params(netcore_client client, netcore_field_fn fn,
                                                      void *user_data);

/**
 * Creates a copy of a request with everything in place that a client adds to it at this time: an
 * absolute URL, default fields and parameters, and the body that parameters make up. What a filter
 * sees, except that functions which give a value are not called. Nothing is sent.
 *
 * @param out_request  Owned by the caller; release with netcore_request_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null), or a status
 *         with which netcore_dispatch() would refuse the request. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_resolve_request(netcore_client client,
                                                          netcore_request request,
                                                          netcore_request *out_request);

/**
 * Sets whether default parameters always go to the query, also where a request's own parameters
 * make up its body: 0, the default (they go where the request's own go), or 1.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (neither 0 nor 1).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_params_in_query(netcore_client client,
                                                              int32_t in_query);

/**
 * Gets what netcore_client_set_params_in_query() set.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_params_in_query(netcore_client client,
                                                              int32_t *out_in_query);

/**
 * Sets options for all requests of a client, dispatched from then on: those that were set on
 * `defaults`, for each request that does not set them itself. What was set so before is forgotten.
 *
 * These count: serializer, nesting of parameters, gzip, CDN, https, timeouts, minimum and maximum
 * rates, redirects, decoding, interim responses, progress, priority,
 * netcore_request_set_sent_once(), netcore_request_set_duplicates(),
 * netcore_request_set_min_interval(), netcore_request_set_rate_key(),
 * netcore_request_set_allow_unclean_end(), netcore_request_set_expect_continue(), the network, the
 * wait for it, whether cookies are used, the credentials (except for bare requests), what an answer
 * must be like (netcore/validation.h), the error table, and of the cache mode, time to live,
 * errors, scope and version. The rest of `defaults`, its URL, fields, parameters and body, is not
 * used.
 *
 * @param defaults  Copied. A new request leaves no defaults.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_set_request_defaults(netcore_client client,
                                                               netcore_request defaults);

/**
 * Gets a request with the options that netcore_client_set_request_defaults() set, to be read or
 * changed and set again.
 *
 * @param out_defaults  Owned by the caller; release with netcore_request_destroy().
 * @return NETCORE_OK, NETCORE_ERR_NOT_FOUND (there are none), NETCORE_ERR_INVALID_HANDLE,
 *         NETCORE_ERR_INVALID_ARGUMENT (null), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_client_get_request_defaults(netcore_client client,
                                                               netcore_request *out_defaults);

NETCORE_END_DECLS

#endif
