"""LangChain: documents get their markers before they are split; a knowledge base takes only what a person has reviewed.

pip install 'cg-review[langchain]'
python examples/integrations/langchain_ingestion.py
"""

from pathlib import Path

from cg_review.integrations.langchain import ClarityGateAnnotator, ClarityGateFilter
from langchain_core.documents import Document

source = Path(__file__).parents[1] / "product-roadmap.md"
loaded = [Document(page_content=source.read_text(encoding="utf-8"), metadata={"source": source.name})]

# While drafts are good enough (a chat over notes): the model at least sees what is a hypothesis.
for document in ClarityGateAnnotator().transform_documents(loaded):
    print(document.page_content[:300], "…\n")
    print(document.metadata, "\n")

# Where only reviewed documents will do: nothing gets in before a person has confirmed its claims.
print("let through:", ClarityGateFilter().transform_documents(loaded))
