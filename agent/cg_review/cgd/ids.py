"""Claim ids and section slugs (FORMAT section 2, "Claim ids" and "Locations")."""

from __future__ import annotations

import hashlib
import re

CLAIM_ID = re.compile(r"claim-[a-z0-9._-]{1,64}")
HASH_CLAIM_ID = re.compile(r"claim-[a-f0-9]{8,}")

# (text, location, id): the seed's test vectors.
VECTORS = (
    ("Base price is $99/mo", "api-pricing/1", "claim-75fb137a"),
    ("The API supports GraphQL", "features/1", "claim-eb357742"),
)


def claim_id(text: str, location: str, length: int = 8) -> str:
    """Return the hash-based id of a claim, `claim-` and `length` (8 to 64) hex digits.

    Raises ValueError for another length.
    """
    if not 8 <= length <= 64:
        raise ValueError(f"a claim id has 8 to 64 hex digits, not {length}")
    covered = f"{' '.join(text.split())}|{location.strip()}"
    return "claim-" + hashlib.sha256(covered.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def slugify(title: str) -> str:
    """Return the slug of a heading, empty where nothing of it remains. Non-ASCII characters are dropped."""
    kept = re.sub(r"[^a-z0-9 -]", "", title.lower())
    return re.sub(r"-+", "-", kept.replace(" ", "-")).strip("-")


class Slugger:
    """Gives the headings of one document their slugs, in document order, each slug once."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._next: dict[str, int] = {}
        self._headings = 0

    def slug(self, title: str) -> str:
        """Return the slug of the next heading: `section-<n>` where it would be empty, `-2`, `-3`, … where taken."""
        self._headings += 1
        base = slugify(title) or f"section-{self._headings}"
        slug, number = base, self._next.get(base, 2)
        while slug in self._seen:
            slug, number = f"{base}-{number}", number + 1
        self._next[base] = number
        self._seen.add(slug)
        return slug
