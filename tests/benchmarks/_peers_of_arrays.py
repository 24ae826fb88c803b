"""The field's libraries beside measures of tables: classification, agreement, survival.

Ours is `metrics.adapters.score_arrays`, with all its checks, on the arrays that the library gets.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.adapters import score_arrays
from tests.benchmarks import _inputs as inputs
from tests.benchmarks._peer import Both, Peer

RECORDS, FOLLOWED = 100_000, 3_000
FIVE = [str(k) for k in range(5)]
TIMES = [2.0, 5.0, 10.0]
Floats = NDArray[np.float64]
Theirs = Callable[..., Any]


def _ours(spec: dict[str, Any], *arrays: Any, sign: float = 1.0) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sign * score_arrays(spec, *arrays)


def _classes(size: float) -> tuple[Any, Any]:
    r = inputs.random()
    truth = r.integers(0, 5, round(RECORDS * size))
    return truth, np.where(r.random(truth.size) < 0.7, truth, r.integers(0, 5, truth.size))


def _chances(size: float) -> tuple[Any, Any]:
    r = inputs.random()
    truth = r.integers(0, 2, round(RECORDS * size))
    return truth, 1 / (1 + np.exp(-truth - r.normal(size=truth.size)))


def _numbers(size: float) -> tuple[Floats, Floats]:
    r = inputs.random()
    truth = r.normal(50, 10, round(RECORDS * size))
    return truth, truth + r.normal(0, 5, truth.size)


def _sets(size: float) -> tuple[Any, Any]:
    r = inputs.random()
    truth = r.random((round(RECORDS * size), 8)) < 0.3
    return truth.astype(int), (truth ^ (r.random(truth.shape) < 0.1)).astype(int)


def _set_scores(size: float) -> tuple[Any, Any]:
    truth, _ = _sets(size)
    return truth, truth + inputs.random(1).normal(size=truth.shape)


def _few_set_scores(size: float) -> tuple[Any, Any]:
    """A loop of the library's over records takes its time."""
    return _set_scores(size / 20)


def _members(size: float) -> tuple[Floats, Floats]:
    r = inputs.random()
    return r.normal(size=round(RECORDS * size)), r.normal(size=(round(RECORDS * size), 20))


def _followed(size: float) -> tuple[Any, Any, Floats]:
    """Times and events, the same as scikit-survival has them, and risks."""
    r = inputs.random()
    n = round(FOLLOWED * size)
    death, end = r.exponential(10, n), r.exponential(15, n)
    time, event = np.minimum(death, end).round(3) + 0.001, death <= end
    structured = np.array(list(zip(event, time, strict=True)), dtype=[("event", "?"), ("time", "<f8")])
    return np.column_stack([time, event]), structured, r.normal(0, 8, n) - death


def _peer(
    module: str,
    install: str,
    measure: str,
    draw: Callable[[float], tuple[Any, Any]],
    theirs: Callable[[], Theirs],
    *,
    sign: float = 1.0,
    what: str = "",
    close: float = 1e-9,
    why: str = "",
    **options: Any,
) -> Peer:
    """``theirs`` imports the library, and gives what is called with the references and the answers."""

    def prepare(size: float) -> Both:
        truth, answers = draw(size)
        function = theirs()
        spec = {"measure": measure, **options}
        return partial(_ours, spec, truth, answers, sign=sign), lambda: float(function(truth, answers))

    return Peer(module=module, install=install, what=what or measure, prepare=prepare, close=close, why=why)


def _sklearn(name: str, **options: Any) -> Callable[[], Theirs]:
    def theirs() -> Theirs:
        from sklearn import metrics

        return partial(getattr(metrics, name), **options)

    return theirs


def _net_benefit() -> Theirs:
    import dcurves
    import pandas

    def theirs(truth: Any, chance: Any) -> Any:
        data = pandas.DataFrame({"truth": truth, "chance": chance})
        table = dcurves.dca(data=data, outcome="truth", modelnames=["chance"], thresholds=[0.3])
        return table.set_index("model")["net_benefit"]["chance"]

    return theirs


def _best_sensitivity() -> Theirs:
    from sklearn.metrics import roc_curve

    def theirs(truth: Any, chance: Any) -> Any:
        false, true, _ = roc_curve(truth, chance, drop_intermediate=False)
        return true[1 - false >= 0.9].max()

    return theirs


def _youden() -> Theirs:
    from sklearn.metrics import balanced_accuracy_score

    return partial(balanced_accuracy_score, adjusted=True)


def _pearson() -> Theirs:
    from scipy.stats import pearsonr

    return lambda truth, answers: pearsonr(truth, answers)[0]


def _spearman() -> Theirs:
    from scipy.stats import spearmanr

    return lambda truth, answers: spearmanr(truth, answers)[0]


def _ccc() -> Theirs:
    import torch
    from torchmetrics.functional import concordance_corrcoef

    return lambda truth, answers: concordance_corrcoef(torch.from_numpy(answers), torch.from_numpy(truth))


def _icc() -> Theirs:
    import pandas
    import pingouin

    def theirs(truth: Any, answers: Any) -> Any:
        n = truth.size
        columns = {"record": np.tile(np.arange(n), 2), "rater": np.repeat(["a", "b"], n)}
        table = pandas.DataFrame({**columns, "value": np.concatenate([truth, answers])})
        found = pingouin.intraclass_corr(table, targets="record", raters="rater", ratings="value")
        return found["ICC"].to_numpy(float)[1]

    return theirs


def _crps() -> Theirs:
    from properscoring import crps_ensemble

    return lambda truth, members: crps_ensemble(truth, members).mean()


def _c_index() -> Theirs:
    from sksurv.metrics import concordance_index_censored

    return lambda truth, risk: concordance_index_censored(truth["event"], truth["time"], risk)[0]


def _unos_c() -> Theirs:
    from sksurv.metrics import concordance_index_ipcw

    return lambda truth, risk: concordance_index_ipcw(truth, truth, risk)[0]


def _time_auc() -> Theirs:
    from sksurv.metrics import cumulative_dynamic_auc

    return lambda truth, risk: cumulative_dynamic_auc(truth, truth, risk, TIMES)[1]


def _brier() -> Theirs:
    from sksurv.metrics import integrated_brier_score

    return lambda truth, chances: integrated_brier_score(truth, truth, chances, TIMES)


def _survival(measure: str, theirs: Callable[[], Theirs], **options: Any) -> Peer:
    def prepare(size: float) -> Both:
        truth, structured, answers = _followed(size)
        if measure == "survival.brier":
            answers = np.sort(inputs.random(1).random((len(truth), len(TIMES))), axis=1)[:, ::-1]
        function, sign = theirs(), -1.0 if measure == "survival.brier" else 1.0
        spec = {"measure": measure, **options}
        return partial(_ours, spec, truth, answers, sign=sign), lambda: float(function(structured, answers))

    return Peer(module="sksurv", install="scikit-survival", what=measure, prepare=prepare)


_of_sklearn = partial(_peer, "sklearn", "scikit-learn")
ARRAYS = (
    _of_sklearn("classification.accuracy", _classes, _sklearn("accuracy_score")),
    _of_sklearn("classification.f1", _classes, _sklearn("f1_score", average="macro")),
    _of_sklearn("classification.mcc", _classes, _sklearn("matthews_corrcoef")),
    _of_sklearn("classification.weighted_kappa", _classes, _sklearn("cohen_kappa_score", weights="quadratic")),
    _of_sklearn("classification.youden", lambda size: _threshold(*_chances(size)), _youden),
    _of_sklearn("classification.auroc", _chances, _sklearn("roc_auc_score")),
    _of_sklearn("classification.partial_auroc", _chances, _sklearn("roc_auc_score", max_fpr=0.2), up_to=0.2),
    _of_sklearn("classification.sensitivity_at_specificity", _chances, _best_sensitivity, at=0.9),
    _of_sklearn("classification.auprc", _chances, _sklearn("average_precision_score")),
    _of_sklearn("classification.brier", _chances, _sklearn("brier_score_loss"), sign=-1),
    _of_sklearn("classification.log_loss", _chances, _sklearn("log_loss"), sign=-1),
    _peer("dcurves", "dcurves", "classification.net_benefit", _chances, _net_benefit, threshold=0.3),
    _of_sklearn("multilabel.f1", _sets, _sklearn("f1_score", average="macro")),
    _of_sklearn("multilabel.jaccard", _sets, _sklearn("jaccard_score", average="samples", zero_division=1)),
    _of_sklearn("multilabel.exact_match", _sets, _sklearn("accuracy_score")),
    _of_sklearn("multilabel.hamming_loss", _sets, _sklearn("hamming_loss"), sign=-1),
    _of_sklearn("multilabel.auroc", _set_scores, _sklearn("roc_auc_score")),
    _of_sklearn("multilabel.ranking_precision", _few_set_scores, _sklearn("label_ranking_average_precision_score")),
    _of_sklearn("multilabel.ranking_loss", _few_set_scores, _sklearn("label_ranking_loss"), sign=-1),
    _of_sklearn("multilabel.coverage_error", _few_set_scores, _sklearn("coverage_error"), sign=-1),
    _of_sklearn("regression.mae", _numbers, _sklearn("mean_absolute_error"), sign=-1),
    _of_sklearn("regression.rmse", _numbers, _sklearn("root_mean_squared_error"), sign=-1),
    _of_sklearn("regression.r2", _numbers, _sklearn("r2_score")),
    _of_sklearn("regression.mape", _numbers, _sklearn("mean_absolute_percentage_error"), sign=-1),
    _of_sklearn("regression.pinball", _numbers, _sklearn("mean_pinball_loss", alpha=0.3), sign=-1, quantile=0.3),
    _peer("scipy", "scipy", "regression.pearson", _numbers, _pearson),
    _peer("scipy", "scipy", "regression.spearman", _numbers, _spearman),
    _peer(
        "torchmetrics", "torchmetrics (and torch)", "regression.ccc", _numbers, _ccc, close=1e-4, why="divides by n - 1"
    ),
    _peer("pingouin", "pingouin", "regression.icc", lambda size: _numbers(size / 10), _icc, close=1e-5),
    _peer("properscoring", "properscoring", "regression.crps", _members, _crps, sign=-1),
    _survival("survival.c_index", _c_index),
    _survival("survival.unos_c", _unos_c),
    _survival("survival.auc", _time_auc, times=TIMES),
    _survival("survival.brier", _brier, times=TIMES),
)


def _threshold(truth: Any, chance: Any) -> tuple[Any, Any]:
    return truth, (chance > 0.5).astype(int)
