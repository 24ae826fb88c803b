"""Statistics that all metrics share: resampling, comparison, ranking, and work in several threads."""
