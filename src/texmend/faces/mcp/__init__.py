"""The MCP server: the tools of `app.conversation` for other agents, over standard input and output or loopback HTTP."""
