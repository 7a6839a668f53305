/* libpsl for Swift: the public suffix list. */
#ifndef NETCORE_CPSL_H
#define NETCORE_CPSL_H

#include <libpsl.h>

#endif
