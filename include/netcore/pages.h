/**
 * Pages: lists that a server gives page by page. A netcore_pages knows which request gets the next
 * page and whether there is one, by what the pages say.
 *
 * There are two ways to use it. netcore_pages_load() and netcore_pages_read_item() send the
 * requests and wait for them. With netcore_pages_begin() and netcore_pages_take() the program sends
 * them itself, in any way: by netcore_dispatch(), in a group, or on another thread.
 *
 * What a page has is found by pointers into its body, which is JSON (RFC 6901: "/data/items"), or
 * by the usual names if none are given. A link to another origin is followed without Authorization,
 * Cookie, Proxy-Authorization and the client's parameters, and one from https to http is refused
 * with NETCORE_ERR_REDIRECT_INSECURE unless the request allows such redirects.
 *
 * Any thread may call these functions.
 */
#ifndef NETCORE_PAGES_H
#define NETCORE_PAGES_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** How a server says where the next page is. */
typedef int32_t netcore_page_style;
enum {
  /** Found out by the first page that names a next one: a Link field, the field X-Next-Cursor, a
   *  link or a cursor in the body under one of the usual names, or a parameter such as "page" or
   *  "offset" in the URL of the first request. */
  NETCORE_PAGE_STYLE_DETECT = 0,
  /** A Link field with the relation "next" (RFC 8288). */
  NETCORE_PAGE_STYLE_LINK_HEADER = 1,
  /** A URL in the body, absolute or relative to that of the page. */
  NETCORE_PAGE_STYLE_BODY_LINK = 2,
  /** Pages have numbers, which a parameter asks for. */
  NETCORE_PAGE_STYLE_PAGE_NUMBER = 3,
  /** A parameter says how many items come before the page. */
  NETCORE_PAGE_STYLE_OFFSET = 4,
  /** A string or number in the body, which a parameter sends back. */
  NETCORE_PAGE_STYLE_BODY_CURSOR = 5,
  /** The value of a header field, which a parameter sends back. */
  NETCORE_PAGE_STYLE_HEADER_CURSOR = 6,
  /** A function of the application gives the URL of the next page. */
  NETCORE_PAGE_STYLE_FUNCTION = 7
};

/** What a load does while another one is under way. */
typedef int32_t netcore_page_overlap;
enum {
  /** A load of the same page joins it: one request serves both. Any other load replaces it. */
  NETCORE_PAGE_OVERLAP_JOIN = 0,
  /** It replaces the earlier one, which ends with NETCORE_ERR_CANCELED. */
  NETCORE_PAGE_OVERLAP_REPLACE = 1,
  /** It is refused with NETCORE_ERR_INVALID_STATE. */
  NETCORE_PAGE_OVERLAP_REFUSE = 2
};

/** How pages are asked for, and what is found in them. Texts are copied. */
typedef struct netcore_page_options {
  /** In: sizeof(netcore_page_options). */
  uint32_t size;
  /** Default NETCORE_PAGE_STYLE_DETECT. */
  netcore_page_style style;
  /** A JSON pointer to the array of items. Null: the body if it is an array, or else its first
   *  member that is one, the usual names first. */
  const char *items;
  /** A JSON pointer to the link or cursor. Null: the usual names. */
  const char *next;
  /** A JSON pointer to the number of all items. Null: the usual names, and X-Total-Count. */
  const char *total;
  /** The parameter that asks for a page. Null: "page", "offset" or "cursor", by the style. */
  const char *parameter;
  /** The parameter that asks for `page_size` items. Null: none. */
  const char *size_parameter;
  /** The header field with the cursor. Null: X-Next-Cursor. */
  const char *header;
  /** Items of a page, at most 2^40. With page numbers and offsets, a page with fewer items is the
   *  last one. Default 0: not known. */
  uint64_t page_size;
  /** The most items and requests since the first page, at most 2^40. Default 0: no limit. */
  uint64_t max_items;
  uint64_t max_requests;
  /** Default NETCORE_PAGE_OVERLAP_JOIN. */
  netcore_page_overlap overlap;
  /** 1: the first page has the number 0. Default 0: it has the number 1. */
  int32_t zero_based;
  /** 1: netcore_pages_load() requests the page after the one that it returns, before that is asked
   *  for. Default 0. */
  int32_t prefetch;
  /** Must be 0. */
  uint32_t reserved;
} netcore_page_options;

#define NETCORE_PAGE_OPTIONS_INIT NETCORE_INIT(netcore_page_options)

/** What is known of a list. */
typedef struct netcore_page_info {
  /** In: sizeof(netcore_page_info). */
  uint32_t size;
  /** As given, or as found out. */
  netcore_page_style style;
  /** The number of the page that was loaded last; in styles without numbers pages are counted. 0
   *  before the first page. */
  uint64_t page;
  /** Items of a whole page: as given, or as many as the first page has. */
  uint64_t page_size;
  /** Items on the page that was loaded last. */
  uint64_t item_count;
  /** Items of all pages since the first one. */
  uint64_t loaded;
  /** The number of all items, as the server says it; UINT64_MAX if it does not. */
  uint64_t total;
  /** The number of pages, by `total` and `page_size`; UINT64_MAX if it is not known. */
  uint64_t page_count;
  /** Requests since the first page, including that one. */
  uint64_t requests;
  /** When the last request was made, in milliseconds since 1970-01-01 UTC; 0 if none was. */
  int64_t last_request_ms;
  /** 1 if there is a page after this one, as far as that is known. 1 before the first page. */
  int32_t has_more;
  /** 1 if there is more than `max_items` allows. */
  int32_t is_limited;
  int32_t is_loading;
  uint32_t reserved;
} netcore_page_info;

#define NETCORE_PAGE_INFO_INIT NETCORE_INIT(netcore_page_info)

/** What to load. */
typedef int32_t netcore_page_load;
enum {
  /** The page after the one that was loaded last; at the beginning the first one. */
  NETCORE_PAGE_LOAD_MORE = 0,
  /** The first page. What was loaded before no longer counts. */
  NETCORE_PAGE_LOAD_REFRESH = 1,
  /** The page with a number, for NETCORE_PAGE_STYLE_PAGE_NUMBER and NETCORE_PAGE_STYLE_OFFSET. */
  NETCORE_PAGE_LOAD_NUMBER = 2
};

/**
 * Writes the URL of the page after a page, absolute or relative to it; see NETCORE_TEXT_NONE
 * (netcore/base.h) for the contract. Called for each page with a 2xx status code, inside the call
 * that takes the page, on the same thread, with no lock held.
 *
 * @param response  Borrowed until the function returns.
 * @return The length, or NETCORE_TEXT_NONE if there is no next page.
 */
typedef int32_t (*netcore_next_page_fn)(netcore_response response, char *text, size_t capacity,
                                        void *user_data);

/**
 * Creates the pages of a list. Sends nothing.
 *
 * @param client     Kept until the handle is destroyed.
 * @param request    Asks for the first page. Copied; the others are made from it.
 * @param options    Copied; null for the defaults.
 * @param fn         For NETCORE_PAGE_STYLE_FUNCTION; null for none.
 * @param user_data  Passed to `fn`. Must stay valid until `release(user_data)` is called.
 * @param release    May be null.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (a member is out of
 *         its range, or not a JSON pointer), NETCORE_ERR_INVALID_STRUCT,
 *         NETCORE_ERR_INVALID_HEADER, NETCORE_ERR_OUT_OF_MEMORY, and what
 *         netcore_dispatch() returns for a request that cannot be sent. Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_create(netcore_client client, netcore_request request,
                                                const netcore_page_options *options,
                                                netcore_next_page_fn fn, void *user_data,
                                                netcore_release_fn release,
                                                netcore_pages *out_pages);

/**
 * Destroys the handle. A request for a page ahead is canceled.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_destroy(netcore_pages pages);

/**
 * Loads a page, and waits for it.
 *
 * @param number        For NETCORE_PAGE_LOAD_NUMBER; otherwise ignored.
 * @param out_response  The page, owned by the caller; release it with netcore_response_release().
 *                      Null if it is not wanted.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (an unknown `load`),
 *         what netcore_pages_begin() and netcore_pages_take() return, or as netcore_perform(), then
 *         without a response. Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_load(netcore_pages pages, netcore_page_load load,
                                              uint64_t number, netcore_response *out_response);

/**
 * Reads the next item: of the page that was loaded last, or of the one after it, which is then
 * loaded and waited for.
 *
 * @param out_item  The item as JSON, as it stands in the page. Followed by a NUL byte. Borrowed
 *                  until this thread calls the function again.
 * @return As netcore_pages_load(): NETCORE_ERR_NO_MORE_DATA after the last item. Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_read_item(netcore_pages pages, netcore_bytes *out_item);

/**
 * Begins a load whose request the program sends. netcore_pages_take() or netcore_pages_drop() ends
 * it.
 *
 * @param number       For NETCORE_PAGE_LOAD_NUMBER; otherwise ignored.
 * @param out_request  The request to send, owned by the caller; release it with
 *                     netcore_request_destroy().
 * @param out_load     The number of the load; that of the load under way for
 *                     NETCORE_ERR_IN_PROGRESS.
 * @return NETCORE_OK. NETCORE_ERR_IN_PROGRESS: the load under way serves this one, too
 *         (NETCORE_PAGE_OVERLAP_JOIN). NETCORE_ERR_NO_MORE_DATA: there is no page after the last
 *         one, or a limit is reached. NETCORE_ERR_PAGE_LOOP: the next page was loaded before.
 *         NETCORE_ERR_INVALID_STATE: a load is under way (NETCORE_PAGE_OVERLAP_REFUSE), or the
 *         pages have no numbers. NETCORE_ERR_REDIRECT_INSECURE, NETCORE_ERR_INVALID_URL (of the
 *         link to the next page), NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null,
 *         an unknown `load`, a `number` before the first page), NETCORE_ERR_OUT_OF_MEMORY. Since
 *         0.1.
 */
NETCORE_API netcore_status netcore_pages_begin(netcore_pages pages, netcore_page_load load,
                                               uint64_t number, netcore_request *out_request,
                                               uint64_t *out_load);

/**
 * Takes the answer of a load that netcore_pages_begin() began.
 *
 * @param load      The number of the load.
 * @param response  Stays the caller's.
 * @return NETCORE_OK. NETCORE_ERR_NO_DATA: the first page has no items and names no other page.
 *         NETCORE_ERR_NO_MORE_DATA: the same for a later page. NETCORE_ERR_PAGE_LOOP: the page has
 *         the same items as the one before it. NETCORE_ERR_CANCELED: another load replaced this
 *         one. NETCORE_ERR_REJECTED_STATUS: the status code is not 2xx. NETCORE_ERR_REJECTED_JSON:
 *         no items are where `netcore_page_options.items` says. What the response ended with, or
 *         what the function for the next page refused with. NETCORE_ERR_INVALID_HANDLE. After an
 *         error that is not NETCORE_ERR_NO_DATA or NETCORE_ERR_NO_MORE_DATA the same page can be
 *         loaded again. Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_take(netcore_pages pages, uint64_t load,
                                              netcore_response response);

/**
 * As netcore_pages_take(), for an answer that is not a netcore_response.
 *
 * @param url          Of the answer, absolute: links are relative to it.
 * @param http_status  From 200 to 599.
 * @param headers      Header fields, each a line "Name: value" that ends with LF or CRLF; null for
 *                     none.
 * @param data         The body. Null for none.
 * @param next_url     For NETCORE_PAGE_STYLE_FUNCTION without a function: the URL of the next page;
 *                     null for none.
 * @return As netcore_pages_take(), or NETCORE_ERR_INVALID_ARGUMENT, NETCORE_ERR_INVALID_URL,
 *         NETCORE_ERR_INVALID_HEADER, NETCORE_ERR_OUT_OF_MEMORY. Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_take_answer(netcore_pages pages, uint64_t load,
                                                     const char *url, int32_t http_status,
                                                     const char *headers, const void *data,
                                                     size_t size_bytes, const char *next_url);

/**
 * Ends a load without an answer: its request failed or was not sent. The page can be loaded again.
 *
 * @return NETCORE_OK (also if the load has ended), NETCORE_ERR_INVALID_HANDLE. Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_drop(netcore_pages pages, uint64_t load);

/**
 * Gets the items of the page that was loaded last, within the limit of items.
 *
 * @param out_items  A JSON array; empty if the page has no list. Followed by a NUL byte. Borrowed
 *                   until this thread calls the function again.
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null). Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_get_items(netcore_pages pages, netcore_bytes *out_items);

/**
 * Gets what is known of a list.
 *
 * @return NETCORE_OK, NETCORE_ERR_INVALID_HANDLE, NETCORE_ERR_INVALID_ARGUMENT (null),
 *         NETCORE_ERR_INVALID_STRUCT. Since 0.1.
 */
NETCORE_API netcore_status netcore_pages_get_info(netcore_pages pages, netcore_page_info *out_info);

NETCORE_END_DECLS

#endif
