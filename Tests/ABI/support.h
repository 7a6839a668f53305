/** What every program of Tests/ABI uses: checks, waiting, the peers' addresses, clients in each completion mode. */
#ifndef NETCORE_TESTS_SUPPORT_H
#define NETCORE_TESTS_SUPPORT_H

#include "netcore.h"

#include "support/check.h"
#include "support/wait.h"
#include "support/peers.h"
#include "support/answer.h"
#include "support/door.h"

#endif
