"""People finish a review: answers, and the documents that follow from them (FORMAT sections 5, 9, 10 and 12).

- answers.Answer: one answer, whatever way it came in
- answering.answer(text, answers, ...): the pure function that every way in ends in
- case.read_case(text, name): the claims of a CGD, each with its place in the text
- rejecting: what a `false` does to the body; writing: the lossless edits of claims, record and statuses
- audit: the append-only log; desk.Desk: one document on disk, with lock, log and atomic writes
- queue, apply: the review queue file; confirm: the terminal; web: the local page
"""
