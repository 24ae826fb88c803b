"""What a publication asks of a challenge beside its board; names of `metrics.statistics` and `metrics.measures`."""

from metrics.measures.reader_study import ReaderStudy, obuchowski_rockette
from metrics.statistics.hypotheses import MixedModel, NonInferiority, mixed_model, non_inferiority, permutation_test
from metrics.statistics.nested import nested_intervals
from metrics.statistics.tasks import TaskRanking, over_scores, over_tasks

__all__ = [
    "MixedModel",
    "NonInferiority",
    "ReaderStudy",
    "TaskRanking",
    "mixed_model",
    "nested_intervals",
    "non_inferiority",
    "obuchowski_rockette",
    "over_scores",
    "over_tasks",
    "permutation_test",
]
