"""Why syntok splits the sentences: `pip install pysbd sentencex; python benchmarks/segmenters.py`.

Prints what each segmenter makes of abbreviations, decimals, addresses, versions and list numbers, and its CPU seconds for
the same text three hundred times over. One that is not installed is left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module

TEXTS = (
    "The new hull saves 33.33 % fuel vs. the old one. It cost £1.6m.",
    "Pump No. 3 runs approx. 18 h/day, i.e. most of Q1.",
    "See https://example.com/a.b?c=1. Then upgrade to v1.2.3. It works.",
    "Dr. Hale joined Acme Inc. in 2020. The U.S. office grew.",
    "1. Quay. 2. Pier.",
)
COPIES = 300


def syntok() -> Callable[[str], list[str]]:
    """syntok alone, without what sentences.py adds."""
    analyze = import_module("syntok.segmenter").analyze
    return lambda text: [
        text[sentence[0].offset : sentence[-1].offset + len(sentence[-1].value)]
        for paragraph in analyze(text)
        for sentence in paragraph
    ]


def pysbd() -> Callable[[str], list[str]]:
    """pysbd with spans, which offsets need."""
    segmenter = import_module("pysbd").Segmenter(language="en", clean=False, char_span=True)
    return lambda text: [span.sent for span in segmenter.segment(text)]


def sentencex() -> Callable[[str], list[str]]:
    """sentencex."""
    module = import_module("sentencex")
    return lambda text: list(module.segment("en", text))


def main() -> None:
    for make in (syntok, pysbd, sentencex):
        try:
            segment = make()
        except ImportError:
            print(f"{make.__name__}: not installed\n")
            continue
        long = " ".join(TEXTS * COPIES)
        started = time.process_time()
        segment(long)
        print(f"{make.__name__}: {time.process_time() - started:.2f} s for {len(long):,} characters")
        for text in TEXTS:
            print("   ", " | ".join(part.strip() for part in segment(text)))
        print()


if __name__ == "__main__":
    main()
