/**
 * API descriptions: an API of a server is described once, and called by its parameters.
 *
 * A description is a request with parameters. The request says everything but their values: method,
 * URL, header fields, serializer, cache, retries, throttle, validators, error table, filter; in
 * short, whatever netcore_request_set_ functions set. It is copied for each call, and what the
 * parameters say is put in. Names in braces in its URL, such as "/posts/{id}" (RFC 6570, level 1),
 * are parameters. In its tags they stand for the values of parameters: "post:{id}" is "post:7" in a
 * call with that id. A tag whose parameter has no value is left out. The URL is kept as it is
 * written for telemetry (netcore_hop_info.url_template).
 *
 * APIs that have something in common belong to a module: a request again, with what they have in
 * common. Tasks of a module are canceled together.
 *
 * An answer with a status code other than 2xx is not a success (NETCORE_ERR_REJECTED_STATUS),
 * unless the request, its module or the client says what is
 * (netcore_request_set_accepted_statuses()).
 *
 * Any thread may call these functions.
 */
#ifndef NETCORE_API_H
#define NETCORE_API_H

#include "base.h"
#include "completion.h"

NETCORE_BEGIN_DECLS

/**
 * Creates a module.
 *
 * @param defaults    What each API has that does not set it itself: all options, header fields,
 *                    parameters, tags (those of both), the error table (rows of both), filter, and
 *                    for a relative URL the service or base URL. Its method, path and body are not
 *                    used. Copied; 0 for none.
 * @param out_module  Owned by the caller; ends with netcore_module_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_module_create(netcore_request defaults,
                                                 netcore_module *out_module);

/**
 * Destroys a module: cancels the tasks of its APIs that have not ended, with the cause
 * NETCORE_CANCEL_CAUSE_SCOPE. Tasks that are made by its APIs later end as canceled at once.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_module_destroy(netcore_module module);

/**
 * Cancels the tasks of the APIs of a module that have not ended, whichever client sends them;
 * except those of requests with a task scope of their own. The module stays as it is.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_module_cancel(netcore_module module);

/** Where a parameter goes. */
typedef int32_t netcore_param_place;
enum {
  /** Into the path, if the URL has its name in braces; otherwise as netcore_request_add_param()
   *  says: into the query, or into the body as the serializer of the request writes it. */
  NETCORE_PARAM_PLACE_DEFAULT = 0,
  /** Into the query, whatever the method. */
  NETCORE_PARAM_PLACE_QUERY = 1,
  /** A header field. */
  NETCORE_PARAM_PLACE_HEADER = 2,
  /** The value is the body, as JSON. */
  NETCORE_PARAM_PLACE_BODY = 3
};

/** A parameter of an API. Texts are copied. */
typedef struct netcore_api_param {
  /** In: sizeof(netcore_api_param). */
  uint32_t size;
  netcore_param_place place;
  /** By which callers know it. For the path: letters, digits and "_". */
  const char *name;
  /** What the value may be, as in netcore_request_set_json_shape(): "string", "integer", "number",
   *  "boolean", "string|integer", ["string"], {"id": "integer"}. With "?" at its end the parameter
   *  may be missing or null. Null: any value but null. */
  const char *type;
  /** What it is called in the query, in the body or as a header field; null: by its name. */
  const char *field;
  /** The value of a call that does not give one, as JSON: "20", "\"new\"". Null for none. */
  const char *default_value;
} netcore_api_param;

#define NETCORE_API_PARAM_INIT NETCORE_INIT(netcore_api_param)

/**
 * Describes an API. Names in braces in the URL that netcore_api_add_param() does not name are
 * parameters of the type "string|integer".
 *
 * @param module   0 for none.
 * @param request  Copied. netcore_request_create_relative() makes one whose URL is relative to the
 *                 base URL of the module, of a service, or of the client.
 * @param out_api  Owned by the caller; ends with netcore_api_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, or a clash of
 *         its error table with that of the module or of another API in it), NETCORE_ERR_INVALID_URL
 *         (a malformed template), NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_api_create(netcore_module module, netcore_request request,
                                              netcore_api *out_api);

/**
 * Ends a description. Requests and tasks made by it go on.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_api_destroy(netcore_api api);

/**
 * Adds a parameter to a description, for calls from then on.
 *
 * @param param  Copied.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_PARAM (there is one of that
 *         name, there is a body, the default is not of its type),
 *         NETCORE_ERR_INVALID_ARGUMENT (null, not UTF-8, an empty name, an unknown place, not a
 *         type, a default that is not JSON), NETCORE_ERR_INVALID_HEADER,
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_api_add_param(netcore_api api, const netcore_api_param *param);

/**
 * Creates the request of one call, to be sent in any way: performed, dispatched, in a group, as
 * pages, streamed.
 *
 * A null is left out, except in a JSON body; a parameter of the path cannot be null.
 *
 * @param params       A JSON object with the values by their names, {"id": 7}; null for none.
 * @param out_request  Owned by the caller; release with netcore_request_destroy().
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_PARAM (missing, unknown, of
 *         another type, or not allowed in its place; netcore_error.argument has its name),
 *         NETCORE_ERR_INVALID_ARGUMENT (null, not a JSON object), NETCORE_ERR_OUT_OF_MEMORY.
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_api_create_request(netcore_api api, const char *params,
                                                      netcore_request *out_request);

/**
 * As netcore_api_create_request(), with values as text: those of parameters that may not be strings
 * are read as JSON, "7" or "true".
 *
 * @param names_and_values  Name, value, name, value and so on, and a null pointer at the end. Null
 *                          for none.
 * @return As netcore_api_create_request(); NETCORE_ERR_INVALID_PARAM also for one that is there
 *         twice. Since 0.1.
 */
NETCORE_API netcore_status netcore_api_create_request_from_texts(
    netcore_api api, const char *const *names_and_values, netcore_request *out_request);

/**
 * Calls an API and waits for its answer: netcore_api_create_request() and netcore_perform().
 *
 * @return As these. Since 0.1.
 */
NETCORE_API netcore_status netcore_api_perform(netcore_client client, netcore_api api,
                                               const char *params, netcore_response *out_response);

/**
 * Calls an API without waiting: netcore_api_create_request() and netcore_dispatch().
 *
 * @return As these. Since 0.1.
 */
NETCORE_API netcore_status netcore_api_dispatch(netcore_client client, netcore_api api,
                                                const char *params, netcore_done_fn done,
                                                void *user_data, netcore_task *out_task);

NETCORE_END_DECLS

#endif
