"""The composition root: builds the parts from Settings and runs the use cases that every face calls.

One module per group of use cases; importing the package imports none of them. Each use case returns a Report and
raises nothing but for a bug: bad input, a refusal and a stop are reports too.
"""
