/** Which netcore this is. */
#ifndef NETCORE_VERSION_H
#define NETCORE_VERSION_H

#include "base.h"

NETCORE_BEGIN_DECLS

/** The version of this header. */
#define NETCORE_VERSION_MAJOR 0
#define NETCORE_VERSION_MINOR 1
#define NETCORE_VERSION_PATCH 0
#define NETCORE_VERSION_STRING "0.1.0"

/** Names the version of the library that was loaded: "0.1.0". The string is static. Since 0.1. */
NETCORE_API const char *netcore_version(void);

/**
 * Names the libraries at work, for bug reports: "netcore/0.1.0 libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …".
 * The string is static. Since 0.1.
 */
NETCORE_API const char *netcore_version_details(void);

NETCORE_END_DECLS

#endif
