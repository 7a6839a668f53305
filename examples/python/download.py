#!/usr/bin/env python3
"""A download with a progress bar: download.py URL FILE. Run again after it was stopped, it goes on where it was."""

from __future__ import annotations

import sys

import netcore

BAR_WIDTH = 30


def show(progress: netcore.DownloadProgress) -> None:
    rate = progress.rate / 1e6
    text = f"{progress.size / 1e6:8.1f} MB  {rate:7.1f} MB/s "
    if progress.total is not None:
        share = progress.size / progress.total if progress.total else 1.0
        text = f"[{'#' * int(share * BAR_WIDTH):{BAR_WIDTH}}] {share:4.0%}  {text}"
    print(f"\r{text}", end="", flush=True)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: download.py URL FILE")
    url, path = sys.argv[1:]
    try:
        with netcore.Client() as client:
            download = client.download(url, path, progress=show)
    except netcore.Error as error:
        sys.exit(f"\ndownload: {error}")
    print(f"\n{path}: {download.size} bytes, {download.resumed_from} of them were there")


if __name__ == "__main__":
    main()
