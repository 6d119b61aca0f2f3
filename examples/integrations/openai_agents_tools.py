"""OpenAI Agents SDK and Anthropic: the tools as their SDKs take them. Runs without a key; the agent itself needs one.

pip install 'cg-review[openai-agents]'
python examples/integrations/openai_agents_tools.py
"""

import json
from pathlib import Path

from agents import Agent
from cg_review.integrations.openai_agents import clarity_gate_tools
from cg_review.integrations.tools import Workspace, anthropic_tools

workspace = Workspace(Path(__file__).parents[1])
agent = Agent(
    name="Librarian",
    instructions="Review documents before they go into the knowledge base. Ask the user to confirm the claims.",
    tools=[*clarity_gate_tools(workspace)],
)
print([tool.name for tool in agent.tools])
# With a key: print(Runner.run_sync(agent, "Review product-roadmap.md").final_output)

# Anthropic's Messages API takes the definitions as they are, and a call is run by the dispatcher:
print(json.dumps(anthropic_tools()[0], indent=2)[:400], "…")
answer = workspace.dispatch("review_document", {"path": "product-roadmap.md", "write": False})
print(answer["verdict"], len(answer["findings"]), "findings")
