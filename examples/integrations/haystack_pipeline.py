"""Haystack: two components before the splitter; what the gate refuses comes out with the reason.

pip install 'cg-review[haystack]'
python examples/integrations/haystack_pipeline.py
"""

from pathlib import Path

from cg_review.integrations.haystack import ClarityGateAnnotator, ClarityGateFilter
from haystack import Document, Pipeline
from haystack.components.preprocessors import DocumentSplitter

source = Path(__file__).parents[1] / "product-roadmap.md"
loaded = [Document(content=source.read_text(encoding="utf-8"), meta={"file_path": source.name})]

pipeline = Pipeline()
pipeline.add_component("gate", ClarityGateAnnotator())
pipeline.add_component("split", DocumentSplitter(split_by="passage", split_length=2))
pipeline.connect("gate.documents", "split.documents")
for chunk in pipeline.run({"gate": {"documents": loaded}})["split"]["documents"]:
    print(chunk.meta["clarity_gate_status"], "|", (chunk.content or "")[:70].replace("\n", " "))

refused = ClarityGateFilter().run(loaded)["refused"]
print("refused:", [document.meta["clarity_gate_refused"] for document in refused])
