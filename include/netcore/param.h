/** Parameters of requests: typed values for the query or for a body. */
#ifndef NETCORE_PARAM_H
#define NETCORE_PARAM_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** How parameters are written. */
typedef int32_t netcore_serializer;
enum {
  /** application/x-www-form-urlencoded, as browsers write it (WHATWG URL, section 5). */
  NETCORE_SERIALIZER_FORM = 0,
  /** One JSON object (RFC 8259), in which no name may repeat. */
  NETCORE_SERIALIZER_JSON = 1,
  /** Not into a body: parameters go to the query, whatever the method, written as in a form. */
  NETCORE_SERIALIZER_QUERY = 2
};

/** How nested parameters are written in a query, a form and multipart. */
typedef int32_t netcore_param_nesting;
enum {
  /** A list repeats its name, once for each element; a JSON object is its text. */
  NETCORE_PARAM_NESTING_REPEAT = 0,
  /** "a[b]=1&l[]=1&l[]=2": names of members and places of elements go into brackets. An element
   *  that is an array or an object itself is numbered: "l[0][a]=1". What is empty is left out. As
   *  jQuery's param() writes it; PHP, Rack and qs read it. */
  NETCORE_PARAM_NESTING_BRACKETS = 1
};

/**
 * Adds a parameter. Parameters go to the query for GET, HEAD and DELETE, and if the request has a
 * body. Otherwise they make up the body, written as netcore_request_set_serializer() says, with its
 * Content-Type unless the request has one. Names may repeat and keep their order; a default
 * parameter of the same name is left out. In a query and in a form, null is empty.
 *
 * A list is an array with NETCORE_SERIALIZER_JSON. Otherwise its name repeats, once for each
 * element, unless netcore_request_set_param_nesting() says otherwise; an empty list writes nothing,
 * and only leaves out a default parameter.
 *
 * @param name   Copied. Not empty.
 * @param value  Copied. For netcore_request_add_param_json(), a JSON value, written into a JSON
 *               body as it is. For netcore_request_add_param_list(), a JSON array.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null, an empty
 *         name, not UTF-8, not valid JSON, not an array, or a number that is not finite).
 *         Since 0.1.
 */
NETCORE_API netcore_status netcore_request_add_param(netcore_request request, const char *name,
                                                     const char *value);
NETCORE_API netcore_status netcore_request_add_param_int(netcore_request request, const char *name,
                                                         int64_t value);
NETCORE_API netcore_status netcore_request_add_param_double(netcore_request request,
                                                            const char *name, double value);
NETCORE_API netcore_status netcore_request_add_param_bool(netcore_request request, const char *name,
                                                          int32_t value);
NETCORE_API netcore_status netcore_request_add_param_null(netcore_request request,
                                                          const char *name);
NETCORE_API netcore_status netcore_request_add_param_json(netcore_request request, const char *name,
                                                          const char *value);
NETCORE_API netcore_status netcore_request_add_param_list(netcore_request request, const char *name,
                                                          const char *value);

/**
 * Removes all parameters of a name from a request. Succeeds if there is none.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_remove_param(netcore_request request, const char *name);

/**
 * Keeps a default parameter of the client (netcore/service.h) from being added to this request.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT. Since 0.1.
 */
NETCORE_API netcore_status netcore_request_remove_default_param(netcore_request request,
                                                                const char *name);

/**
 * Sets how parameters are written. Default NETCORE_SERIALIZER_FORM.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_serializer value). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_serializer(netcore_request request,
                                                          netcore_serializer serializer);

/**
 * Sets how nested parameters are written in a query, a form and multipart: lists, and JSON values
 * that are arrays or objects. A JSON body has them as they are. Default
 * NETCORE_PARAM_NESTING_REPEAT.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (not a
 *         netcore_param_nesting value). Since 0.1.
 */
NETCORE_API netcore_status netcore_request_set_param_nesting(netcore_request request,
                                                             netcore_param_nesting nesting);

NETCORE_END_DECLS

#endif
