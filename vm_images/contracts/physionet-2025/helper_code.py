"""Functions for programs of teams, under the names and with the results that the challenge of the year gives them."""

from pathlib import Path


def find_records(folder, file_extension=".hea"):
    """The records below a folder, as paths without the suffix, in order."""
    found = (path.relative_to(folder) for path in Path(folder).rglob(f"*{file_extension}"))
    return sorted(str(path)[: -len(file_extension)] for path in found)


def save_outputs(output_file, record_name, label, probability):
    """Write the answer for a record; returns its text."""
    text = f"{record_name}\n# Chagas label: {label}\n# Chagas probability: {probability}\n"
    Path(output_file).write_text(text)
    return text
