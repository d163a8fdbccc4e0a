"""The rules, in the order in which they are asked: certain and narrow first. Kept by hand."""

from __future__ import annotations

from texmend.rules import (
    comment_hides_brace,
    dialect_command,
    eaten_escape,
    end_document,
    environment_name,
    environment_pair,
    invisible,
    math_in_text,
    missing_figure,
    missing_input,
    missing_package,
    misspelt_command,
    misspelt_file,
    operator_name,
    special_character,
    template_variable,
    theorem_declaration,
    unbalanced_brace,
    undefined_color,
    wrapping,
)
from texmend.rules.base import Rule

RULES: tuple[Rule, ...] = (
    wrapping.RULE,
    eaten_escape.RULE,
    comment_hides_brace.RULE,
    invisible.RULE,
    misspelt_file.RULE,
    missing_input.RULE,
    missing_figure.RULE,
    template_variable.RULE,
    dialect_command.RULE,
    operator_name.RULE,
    missing_package.RULE,
    misspelt_command.RULE,
    theorem_declaration.RULE,
    undefined_color.RULE,
    environment_name.RULE,
    end_document.RULE,
    environment_pair.RULE,
    unbalanced_brace.RULE,
    math_in_text.RULE,
    special_character.RULE,
)
