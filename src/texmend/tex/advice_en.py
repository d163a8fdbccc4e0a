"""What each kind of diagnostic means and what to do, in English.

`{it:noun}` becomes the name at stake, or the noun where there is none; `{{` and `}}` are braces of LaTeX.
"""

from __future__ import annotations

from texmend.model.diagnostic import Kind

ENGLISH: dict[Kind, str] = {
    Kind.UNDEFINED_COMMAND: "Nothing defines {it:this command}. Check its spelling, or load the package that defines it.",
    Kind.UNDEFINED_ENVIRONMENT: "Nothing defines the environment {it:named here}. "
    "Check its spelling, or load the package that defines it.",
    Kind.UNDEFINED_COLOR: "The colour {it:named here} was never defined. "
    "Define it with \\definecolor, or load xcolor with the option that knows it.",
    Kind.UNDEFINED_COUNTER: "The counter {it:named here} does not exist. "
    "Create it with \\newcounter before it is used, or correct its name.",
    Kind.UNDEFINED_KEY: "The package does not know the key {it:named here}. Check its spelling against the package's manual.",
    Kind.UNDEFINED_OPTION: "The package or class does not know the option {it:named here}. Remove it, or correct its spelling.",
    Kind.ALREADY_DEFINED: "{it:This name} is defined already. Use another name, or \\renewcommand if you mean to replace it.",
    Kind.OPTION_CLASH: "The package {it:named here} is loaded twice with different options. "
    "Load it once, with all the options, at the first place.",
    Kind.MISSING_FILE: "The file {it:named here} was not found. "
    "Check its name and folder (upper and lower case count); names are relative to the root.",
    Kind.MISSING_PACKAGE: "The package file {it:named here} is not installed. "
    "Check its spelling; if it is right, install the package in your TeX system.",
    Kind.MISSING_CLASS: "The class file {it:named here} is not installed. "
    "Check its spelling; if it is right, put the class beside the root or install it.",
    Kind.MISSING_FIGURE: "The figure {it:named here} was not found. Check its name and folder, or put the file there; "
    "--placeholders builds with a visible box instead.",
    Kind.MISSING_FONT: "The font {it:named here} was not found. Install it, or choose one that is installed.",
    Kind.MISSING_BIBLIOGRAPHY: "The bibliography file {it:named here} was not found. "
    "Check the name in \\bibliography or \\addbibresource.",
    Kind.MISSING_STYLE: "The bibliography style {it:named here} was not found. Check its spelling, or install it.",
    Kind.MISSING_LIBRARY: "The library {it:named here} was not found. Check its spelling, or install the package that brings it.",
    Kind.MISSING_LANGUAGE: "The language {it:named here} is not known. Check its spelling, or install its language package.",
    Kind.GRAPHIC_FORMAT: "This engine cannot read the figure {it:named here}, or its size is unknown. "
    "Convert it to PDF, PNG or JPEG.",
    Kind.ENVIRONMENT_MISMATCH: "An environment was begun with one name and ended with another. Make \\begin and \\end agree.",
    Kind.UNCLOSED_ENVIRONMENT: "The environment {it:begun here} is never ended. Add its \\end.",
    Kind.UNCLOSED_GROUP: "A brace { is never closed. Add the } where the group should end.",
    Kind.EXTRA_BRACE: "There is a } that closes nothing. Remove it, or add the { that it should close.",
    Kind.RUNAWAY_ARGUMENT: "An argument was still being read when the file or paragraph ended. "
    "Look for a missing } after the place where it begins.",
    Kind.PARAGRAPH_IN_ARGUMENT: "An argument has an empty line, but may not hold a paragraph. "
    "Look for a missing }, or remove the empty line.",
    Kind.NO_BEGIN_DOCUMENT: "Text stands before \\begin{{document}}, or it is missing. Move the text after it, or add it.",
    Kind.NO_END_DOCUMENT: "The file ends without \\end{{document}}. Add it as the last line.",
    Kind.PREAMBLE_ONLY: "{it:This command} may only stand in the preamble. Move it above \\begin{{document}}.",
    Kind.PARAMETER_NUMBER: "A # stands where no parameter of that number exists. "
    "In text write \\#; in a definition inside a definition write ##.",
    Kind.MACRO_USE: "{it:The command} is not used in the form that its definition asks for. "
    "Check its arguments, brackets and braces.",
    Kind.FILE_ENDED: "The file ended while {it:something} was still being read. Look for a missing }, \\end or \\fi above.",
    Kind.INCOMPLETE_CONDITIONAL: "An \\if… has no \\fi, or a \\fi or \\else stands alone. Balance them.",
    Kind.VERBATIM_IN_ARGUMENT: "\\verb and verbatim cannot stand inside the argument of another command. "
    "Use \\texttt, or move it out.",
    Kind.MATH_EXPECTED: "Mathematics stands outside $…$. "
    "Put it between dollar signs; in plain text write \\_ and \\textasciicircum instead.",
    Kind.MATH_UNCLOSED: "A formula is never closed, or closed with the wrong mark. "
    "Check that every $, $$, \\[ and \\( has its partner.",
    Kind.MATH_DELIMITER: "A delimiter has no partner: every \\left needs a \\right, both followed by a bracket or a dot.",
    Kind.DOUBLE_SCRIPT: "Two superscripts or two subscripts follow one symbol. Group with braces: write a^{{b^c}} or {{a^b}}^c.",
    Kind.EXTRA_ALIGNMENT: "A row has more & than the table or formula has columns. "
    "Add a column, or end the row with \\\\ before it.",
    Kind.MISPLACED_ALIGNMENT: "An & or a rule stands where no table or aligned formula is open. "
    "In text write \\&; rules come right after \\\\.",
    Kind.COLUMN_SPECIFICATION: "The column specification has a letter that is not known. "
    "Correct it, or load array for the extended ones.",
    Kind.ITEM_EXPECTED: "A list begins with text instead of \\item. Put \\item before it.",
    Kind.ITEM_OUTSIDE_LIST: "\\item stands outside a list. Put it in itemize, enumerate or description.",
    Kind.CAPTION_OUTSIDE_FLOAT: "\\caption stands outside a figure or table. "
    "Put it inside one, or use \\captionof from the package caption.",
    Kind.FLOAT_PLACE: "A float cannot stand here, or its place option is not known. "
    "Move it into running text; the options are h, t, b, p and !.",
    Kind.TOO_MANY_FLOATS: "Too many floats wait for a page. Add \\clearpage, or move some of them.",
    Kind.NESTING_TOO_DEEP: "Lists are nested deeper than LaTeX allows. Use fewer levels, or the package enumitem.",
    Kind.COUNTER_TOO_LARGE: "A counter is larger than its number format can show. Use another format, such as \\arabic.",
    Kind.NO_LINE_TO_END: "\\\\ or \\newline stands where no line is open. Remove it, or use \\vspace.",
    Kind.MODE: "{it:This command} cannot be used in this mode. "
    "Check what it stands in: running text, mathematics or between paragraphs.",
    Kind.NUMBER_EXPECTED: "TeX expected a number. Check the argument of the command before this place.",
    Kind.UNIT_EXPECTED: "TeX expected a unit of length. Write one after the number, such as pt, mm, em or \\textwidth.",
    Kind.DIMENSION_TOO_LARGE: "A length is larger than TeX can hold (about 5.7 metres). Make it smaller, or check the plot's data.",
    Kind.UNICODE_CHARACTER: "The font setup does not know the character {it:named here}. "
    "Declare it, use its command, or build with xelatex or lualatex.",
    Kind.INVALID_UTF8: "The file has bytes that are not UTF-8. Save it in UTF-8, or name its encoding with inputenc.",
    Kind.LOST_CHARACTER: "The font has no glyph for {it:a character}, which is missing in the PDF. Use a font that has it.",
    Kind.ENGINE_MISMATCH: "The document needs another engine than the one it was built with. Choose it with --engine, or a line "
    "like % !TEX program = xelatex.",
    Kind.SHELL_ESCAPE: "The document wants to run other programs, which is off. Remove the need, or allow it if you trust the "
    "document (--allow-shell-escape).",
    Kind.TIKZ_SYNTAX: "A TikZ or pgf path cannot be read. Check semicolons, brackets and the names of options near this place.",
    Kind.TOO_OLD: "The installed {it:TeX} is older than the document's packages need. Update the TeX distribution, "
    "or use these packages as the distribution has them.",
    Kind.CITATION_STYLE: "The bibliography style and natbib do not fit. "
    "Load natbib with the option numbers, or use an author-year style.",
    Kind.PACKAGE_ERROR: "A package refuses what it was given. Its message says why; its manual says what it accepts.",
    Kind.CLASS_ERROR: "The document class refuses what it was given. Its message says why.",
    Kind.LATEX_ERROR: "LaTeX refuses what it was given. Its message says why.",
    Kind.TEX_ERROR: "TeX could not go on here. Look at this line and the ones before it.",
    Kind.LUA_ERROR: "Lua code of the document or a package failed. The message names the line of Lua.",
    Kind.BIBLIOGRAPHY_SYNTAX: "The bibliography file has a syntax error. "
    "Check commas, quotes and braces of this entry and the one before.",
    Kind.BIBLIOGRAPHY_ERROR: "The bibliography program could not finish. Its message says what it missed.",
    Kind.INDEX_ERROR: "The index program refused an entry. Check the \\index commands for unescaped !, @, | and quotes.",
    Kind.DRIVER_ERROR: "The program that writes the PDF failed. Look at the figure or special that it names.",
    Kind.MISSING_TOOL: "The program {it:named here} is not installed. Install it; `texmend doctor` lists what is there.",
    Kind.UNSAFE: "The document reaches outside its folder, or writes over its own sources, which is refused. Remove that access.",
    Kind.CAPACITY: "TeX ran out of a fixed table, most often through a definition that calls itself. "
    "Look at {it:the macros} near this place.",
    Kind.TIMEOUT: "The pass did not end within its time, most often through an endless loop near this line. "
    "--pass-timeout gives it more.",
    Kind.OUTPUT_LIMIT: "The pass wrote more than it may, most often through an endless loop.",
    Kind.MEMORY_LIMIT: "The pass used more memory than it may, most often through endless recursion.",
    Kind.ENGINE_CRASH: "The engine itself crashed. Try another engine, and look at the last file or figure that it read.",
    Kind.FATAL: "The engine gave up here. The cause is an error above, or a missing \\end{{document}}.",
    Kind.NO_PAGES: "The document has no page to show. Put some text after \\begin{{document}}.",
    Kind.UNDEFINED_REFERENCE: "No \\label of the name {it:asked for} exists. Correct the name, or add the label.",
    Kind.UNDEFINED_CITATION: "The bibliography has no entry {it:of that key}. Correct the key, or add the entry.",
    Kind.LOST_FLOAT: "A float was lost, most often inside a box or a footnote. Move it into running text.",
    Kind.OVERFULL_BOX: "Something is wider than its line or page and sticks out. Rephrase it, or allow a break.",
    Kind.RERUN: "References were still changing after the last pass. "
    "Build once more; if it never settles, look for a page-dependent loop.",
    Kind.WARNING: "The build goes on, but something was not as asked. The message says what.",
}

NEAR_ENGLISH: dict[Kind, str] = {
    Kind.UNDEFINED_REFERENCE: "No \\label of the name <name> exists. Did you mean <meant> (<place>)?",
    Kind.UNDEFINED_CITATION: "The bibliography has no entry <name>. Did you mean <meant> (<place>)?",
}
"""Where a defined key is near: <name> is the one that is written, <meant> the one that exists at <place>."""
HIDDEN_ENGLISH = "<files>: missing, so TeX did not read on; errors behind it may not be visible yet"
LAYOUT_ENGLISH = (
    "built with <new> instead of <old>: fonts, line breaks and page breaks are its own",
    "; <old> left <before> pages, <new> makes <after>",
)
