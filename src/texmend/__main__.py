"""`python -m texmend`: the command line."""

from texmend.faces.cli.main import main

main()
