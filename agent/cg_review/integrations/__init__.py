"""The review inside other people's frameworks. Each module needs its framework installed, and is used by nothing here.

What all of them keep: they can draft, ask and check, but nothing in them confirms a claim; that takes a person.
"""
