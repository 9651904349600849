"""Pictures of a graph: resources come in, text for people, programs, Graphviz or Mermaid goes out.

Files: nodes.py what is drawn · text.py · document.py JSON · dot.py · mermaid.py
"""
