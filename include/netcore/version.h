/** The version of the header and of the library. */
#ifndef NETCORE_VERSION_H
#define NETCORE_VERSION_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** The version of this header. */
#define NETCORE_VERSION_MAJOR 0
#define NETCORE_VERSION_MINOR 1
#define NETCORE_VERSION_PATCH 0
#define NETCORE_VERSION_STRING "0.1.0"

/**
 * Gets the version of the loaded library.
 *
 * @return A static string such as "0.1.0"; never null. Since 0.1.
 */
NETCORE_API const char *netcore_version(void);

/**
 * Gets the versions of the library and of the libraries it uses, for bug reports.
 *
 * @return A static string such as "netcore/0.1.0 libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …";
 *         never null. Since 0.1.
 */
NETCORE_API const char *netcore_version_details(void);

NETCORE_END_DECLS

#endif
