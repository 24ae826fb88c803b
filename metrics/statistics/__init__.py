"""What all metrics share after measuring: resampling, comparison, ranking, and work in several processes."""
