"""Results of the command `train`."""

from games.trick_taking.training.document import TrainingDocument
from service.results.jobs.submission import SubmittedJobs
from service.results.model import ResultModel


class TrainingResult(TrainingDocument, ResultModel, commands="train"):
    """Result of a training; probabilities are the party's."""


class TrainingJob(SubmittedJobs, commands="train"):
    """Job of a training that was handed to the workers."""

    circuits: int
    """That it is going to run"""
