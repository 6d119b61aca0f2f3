"""The CGD format: hash, ids, fences, frontmatter, tables, exclusion blocks, the record. Imports nothing of the reviewing side."""
