"""The CGD format: how a Clarity-Gated Document is taken apart, hashed, edited and written. Knows nothing of reviewing.

- layout.take_apart(text) -> Layout: BOM, newline style, frontmatter, body, end markers, status line, fences
- fences.find_fences(text), line_of(text, offset): the format's line rule for code
- headings.find_headings(layout): the `#` headings outside fences and comments; section_end
- hashing.document_hash(text), stored_hash(text), body_hash(body), canonicalise(text)
- ids.claim_id(text, location, length=8), slugify(title), Slugger().slug(title)
- tables.split_row(line), find_tables(...), escape_cell(text)
- exclusions.find_exclusions(layout), coverage(layout, exclusions)
- record.find_record(layout), render_record(claims), inert(text)
- frontmatter.read_frontmatter(text) -> Frontmatter: data, node/text/key by path, and the lossless edits set, insert,
  delete, append, append_block, each a Splice; splice(text, splices) applies them
- writer.quote_scalar(text), claim_fields(claim), render_frontmatter(fields): YAML for new text
- computed.compute(frontmatter): pending count, rag-ingestable, coverage
- seal.seal(text, computed=False): write the hash, and the computed fields when asked
"""
