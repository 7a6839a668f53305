"""What somebody else's program may look like: prints the library's version, and fails to reach the URL it is given."""

import sys

import netcore

try:
    netcore.get(sys.argv[1])
except ConnectionError as error:
    print(netcore.__version__, type(error).__name__, netcore.__file__)
