"""The local page: the same answers as everywhere, in a browser on this machine (extra `cg-review[web]`).

- app.build_app(desks, token, port, by, clock): the Starlette application
- render.rendered(view, …): a document as HTML that holds nothing of the document's own HTML
- pages: what the templates are given
"""
