"""An evaluation in words: text, JSON, JUnit, HTML; and who may see what."""
