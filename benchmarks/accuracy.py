"""How well a reviewer finds what people find: `python benchmarks/accuracy.py --data DIR [--model NAME] [--answers DIR]`.

DIR is a labelled set in one of two formats, told apart by what lies in it:

- labelled documents: `split.json`, `NAME.md`, `NAME.json` with `faults`, `decoys`, `ignore` (tests/accuracy/guard is one);
- real documents: `docs/NAME.md` and `labels.json`, the places that independent readers flagged.

Prints precision, recall and F1 per point (strict: the label's point or one it allows; relaxed: any), false alarms on
decoys, findings per 1,000 words on clean documents, recall by difficulty; or precision and recall against the readers (no F1: what one reader flags is not wrong to
find, and not to be found either).
The numbers go to benchmarks/results/ with the hash of the rules. `--show` lists every miss and every false alarm.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from cg_review.points import ALL_POINTS, rules_hash
from cg_review.reviewers.settings import ModelSettings
from labelled import Folded, LabelledDocument, Prediction, overlap, read_labelled, read_real
from predict import Reader, make_reader, prompts_hash

RESULTS = Path(__file__).resolve().parent / "results"
TODAY = date(2026, 11, 30)


@dataclass
class Tally:
    """Counts by point: findings and those that hit (strict, relaxed), labels and those that were hit."""

    predicted: Counter[int] = field(default_factory=Counter)
    right: dict[str, Counter[int]] = field(
        default_factory=lambda: {"strict": Counter(), "relaxed": Counter()}
    )
    labels: Counter[int] = field(default_factory=Counter)
    hit: dict[str, Counter[int]] = field(default_factory=lambda: {"strict": Counter(), "relaxed": Counter()})
    decoys: Counter[int] = field(default_factory=Counter)
    decoys_hit: Counter[int] = field(default_factory=Counter)
    by_difficulty: Counter[tuple[str, str]] = field(default_factory=Counter)
    clean_findings: int = 0
    clean_words: int = 0
    words: int = 0
    shown: list[str] = field(default_factory=list)


def score_document(document: LabelledDocument, predictions: list[Prediction], tally: Tally) -> None:
    """Add one labelled document to the tally."""
    text, labels = Folded(document.text), document.labels
    faults = [
        (f, [p for q in (f["quote"], *f["related_quotes"]) for p in text.find(q)]) for f in labels["faults"]
    ]
    decoys = [(d, text.find(d["quote"])) for d in labels["decoys"]]
    ignored = [place for zone in labels.get("ignore") or [] for place in text.find(zone["quote"])]
    tally.labels.update(fault["point"] for fault, _ in faults)
    tally.decoys.update(decoy["near_point"] for decoy, _ in decoys)
    tally.words += text.words
    got: dict[str, set[int]] = {"strict": set(), "relaxed": set()}
    decoys_hit: set[int] = set()
    count = 0
    for prediction in predictions:
        place = text.place(prediction.start, prediction.end)
        reach = prediction.points_at_something()
        met = [i for i, (_, places) in enumerate(faults) if reach and any(overlap(place, p) for p in places)]
        if not met and reach and any(overlap(place, p) for p in ignored):
            continue
        count += 1
        tally.predicted[prediction.point] += 1
        _credit(prediction.point, met, faults, tally, got)
        if not met:
            on = [
                i for i, (_, places) in enumerate(decoys) if reach and any(overlap(place, p) for p in places)
            ]
            decoys_hit.update(on)
            quote = " ".join(document.text[prediction.start : prediction.end].split())
            tally.shown.append(f"{document.name}\t{'DECOY' if on else 'FALSE'}\t{prediction.point}\t{quote}")
    for i, (fault, _) in enumerate(faults):
        tally.by_difficulty[fault["difficulty"], "labels"] += 1
        for kind in ("strict", "relaxed"):
            tally.hit[kind][fault["point"]] += i in got[kind]
            tally.by_difficulty[fault["difficulty"], kind] += i in got[kind]
        if i not in got["strict"]:
            how = "MISS" if i not in got["relaxed"] else "OTHER POINT"
            tally.shown.append(
                f"{document.name}\t{how} {fault['difficulty']}\t{fault['point']}\t{fault['quote']}"
            )
    tally.decoys_hit.update(decoys[i][0]["near_point"] for i in decoys_hit)
    if labels["clean"]:
        tally.clean_findings += count
        tally.clean_words += text.words


def _credit(
    point: int,
    met: list[int],
    faults: list[tuple[dict[str, Any], Any]],
    tally: Tally,
    got: dict[str, set[int]],
) -> None:
    """A finding that names a fault's own point is credited to those, else to faults that allow the point."""
    strict = [i for i in met if point == faults[i][0]["point"] or point in faults[i][0]["also_points"]]
    own = [i for i in strict if faults[i][0]["point"] == point]
    got["strict"].update(own or strict)
    got["relaxed"].update(met)
    tally.right["strict"][point] += bool(strict)
    tally.right["relaxed"][point] += bool(met)


def rates(right: int, predicted: int, hit: int, labels: int) -> dict[str, float | None]:
    """Precision, recall and F1; None where there is nothing to divide by."""
    precision = right / predicted if predicted else None
    recall = hit / labels if labels else None
    if precision is None or recall is None:
        return {"precision": precision, "recall": recall, "f1": None}
    total = precision + recall
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / total if total else 0.0}


def summary(tally: Tally) -> dict[str, Any]:
    """The numbers of a labelled set, as they are printed and kept."""

    def row(points: tuple[int, ...]) -> dict[str, Any]:
        total = lambda counter: sum(counter[p] for p in points)  # noqa: E731
        kinds = {
            kind: rates(
                total(tally.right[kind]), total(tally.predicted), total(tally.hit[kind]), total(tally.labels)
            )
            for kind in ("strict", "relaxed")
        }
        return {
            "labels": total(tally.labels),
            "predicted": total(tally.predicted),
            **kinds,
            "decoys": total(tally.decoys),
            "decoys_hit": total(tally.decoys_hit),
        }

    return {
        "words": tally.words,
        "overall": row(ALL_POINTS),
        "per_point": {point: row((point,)) for point in ALL_POINTS},
        "recall_by_difficulty": {
            level: {
                kind: tally.by_difficulty[level, kind] / max(1, tally.by_difficulty[level, "labels"])
                for kind in ("strict", "relaxed")
            }
            for level in ("easy", "medium", "hard")
        },
        "clean_findings_per_1000_words": 1000 * tally.clean_findings / tally.clean_words
        if tally.clean_words
        else None,
    }


def print_summary(result: dict[str, Any]) -> None:
    """Print the table of a labelled set."""

    def line(name: str, row: dict[str, Any]) -> str:
        cells = [
            "  –  " if row[kind][key] is None else f"{row[kind][key]:5.2f}"
            for kind in ("strict", "relaxed")
            for key in ("precision", "recall", "f1")
        ]
        return (
            f"{name:>5} {row['labels']:6} {row['predicted']:6} | {' '.join(cells[:3])} | {' '.join(cells[3:])} | "
            f"{row['decoys_hit']}/{row['decoys']}"
        )

    print("point labels  found | strict P   R    F1 | relaxed P  R    F1 | decoys hit")
    for point, row in result["per_point"].items():
        print(line(str(point), row))
    print(line("all", result["overall"]))
    for level, recall in result["recall_by_difficulty"].items():
        print(f"recall, {level}: strict {recall['strict']:.2f}, relaxed {recall['relaxed']:.2f}")
    clean = result["clean_findings_per_1000_words"]
    print(f"clean documents: {'–' if clean is None else f'{clean:.2f}'} findings per 1,000 words")


def score_real(folder: Path, reader: Reader) -> tuple[dict[str, Any], list[str]]:
    """Score the real documents of a folder against their readers; the numbers, and what to show.

    Precision is against any reader, and against two or more who agree; recall is of the places of two or more. There is
    no F1: it would be of two truths.
    """
    count: Counter[str] = Counter()
    by_point: Counter[tuple[int, str]] = Counter()
    shown = []
    for name, text, places in read_real(folder):
        hit: set[int] = set()
        predictions = reader(text, name, TODAY)
        if predictions is None:
            continue
        count["documents"] += 1
        count["words"] += len(text.split())
        for prediction in predictions:
            here = (prediction.start, prediction.end)
            met = [i for i, place in enumerate(places) if overlap(here, (place["start"], place["end"]))]
            agreed = any(places[i]["readers"] >= 2 for i in met)
            count["findings"] += 1
            count["right"] += bool(met)
            count["agreed"] += agreed
            count["same"] += any(prediction.point in places[i]["points"] for i in met)
            hit.update(met)
            verdict = "AGREED" if agreed else "ONE" if met else "FALSE"
            shown.append(
                f"{name}\t{verdict}\t{prediction.point}\t{' '.join(text[slice(*here)].split())[:300]}"
            )
        for i, place in enumerate(places):
            if place["readers"] < 2:
                continue
            count["labels"] += 1
            count["hit"] += i in hit
            by_point[place["point"], "labels"] += 1
            by_point[place["point"], "hit"] += i in hit
            if i not in hit:
                quote = " ".join(text[place["start"] : place["end"]].split())[:300]
                shown.append(f"{name}\tMISS\t{place['point']}\t{quote}")
    return {
        "documents": count["documents"],
        "words": count["words"],
        "findings": count["findings"],
        "findings_per_1000_words": 1000 * count["findings"] / max(1, count["words"]),
        "precision_any_reader": count["right"] / max(1, count["findings"]),
        "precision_agreed": count["agreed"] / max(1, count["findings"]),
        "agreed_places": count["labels"],
        "recall_agreed": count["hit"] / max(1, count["labels"]),
        "same_point": count["same"] / max(1, count["findings"]),
        "recall_by_point": {p: [by_point[p, "hit"], by_point[p, "labels"]] for p in ALL_POINTS},
    }, shown


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--answers", type=Path, help="a folder with a folder of answers for each document")
    parser.add_argument("--base-url")
    parser.add_argument("--no-floor", action="store_true", help="the model alone, without the embedded rules")
    parser.add_argument("--min-confidence", type=float, default=0.0)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    if not 0 <= arguments.min_confidence <= 1:
        parser.error("--min-confidence is a probability, from 0 to 1")
    if not any((arguments.data / name).is_file() for name in ("labels.json", "split.json")):
        parser.error(f"{arguments.data}: neither labels.json nor split.json lies there")
    settings = ModelSettings(
        model=arguments.model,
        base_url=arguments.base_url,
        answers=arguments.answers,
        floor=not arguments.no_floor,
        min_confidence=arguments.min_confidence,
    )
    reader = make_reader(settings)
    if (arguments.data / "labels.json").exists():
        result, shown = score_real(arguments.data, reader)
        print("\n".join(f"{key}: {value}" for key, value in result.items()))
    else:
        tally = Tally()
        for document in read_labelled(arguments.data):
            predictions = reader(document.text, document.name, document.today)
            if predictions is not None:
                score_document(document, predictions, tally)
        result, shown = summary(tally), tally.shown
        print_summary(result)
    if arguments.show:
        print("\n".join(shown))
    RESULTS.mkdir(exist_ok=True)
    who = f"answers-{arguments.answers.name}" if arguments.answers else arguments.model
    who += "-no-floor" if arguments.no_floor else ""
    who += f"-from-{arguments.min_confidence}" if arguments.min_confidence else ""
    data = arguments.data.resolve().name
    kept = {"data": data, "reviewer": who, "rules": rules_hash(), "prompts": prompts_hash(), **result}
    path = RESULTS / f"accuracy-{data}-{who.replace(':', '-').replace('/', '-')}.json"
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
