"""LlamaIndex: the gate as the first step of an ingestion pipeline; its metadata travels on the nodes.

pip install 'cg-review[llama-index]'
python examples/integrations/llama_index_pipeline.py
"""

from pathlib import Path

from cg_review.integrations.llama_index import ClarityGateAnnotator, ClarityGateFilter
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import MarkdownNodeParser
from llama_index.core.schema import Document

source = Path(__file__).parents[1] / "product-roadmap.md"
loaded = [Document(text=source.read_text(encoding="utf-8"), metadata={"file_name": source.name})]

annotating = IngestionPipeline(transformations=[ClarityGateAnnotator(), MarkdownNodeParser()])
for node in annotating.run(documents=loaded):
    print(node.metadata["clarity_gate_status"], "|", node.text[:70].replace("\n", " "))

admitting = IngestionPipeline(transformations=[ClarityGateFilter(), MarkdownNodeParser()])
print("let through:", admitting.run(documents=loaded))
