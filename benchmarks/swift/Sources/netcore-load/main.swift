// What plain.c does, by netcore's async Swift API.
import BenchWindow
import Netcore
