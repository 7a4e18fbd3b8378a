"""Traces a torch module that its user goes on to train: nothing of it changes."""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np


def trace(model: Any, inputs: Any) -> Any:
    """Return the module as `torch.jit.trace` makes it of example inputs, in evaluation mode.

    `inputs` are one tensor, a tuple of positional arguments, or a dict of keyword arguments. Training flags, buffers,
    gradients and the states of the random number generators are afterwards as they were before. TypeError for objects
    that are no torch module; what tracing raises is raised.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not isinstance(model, torch.nn.Module):
        raise TypeError(f"inputs are only for a torch module, not for {type(model).__name__}")
    if isinstance(model, torch.jit.ScriptModule):
        return model
    given = {"example_kwarg_inputs": dict(inputs)} if isinstance(inputs, Mapping) else {"example_inputs": inputs}
    with _preserved(model, torch), torch.no_grad(), warnings.catch_warnings():
        # That tracing is deprecated, and what a trace fixes, concerns those who run it.
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        for module in model.modules():
            module.training = False
        # Its check would run the model again, and report random operations.
        return torch.jit.trace(model, **given, check_trace=False, strict=False)


@contextmanager
def _preserved(model: Any, torch: Any) -> Iterator[None]:
    """Give the module and the random number generators back the state that they have now."""
    modules = list(model.modules())
    training = [module.training for module in modules]
    buffers = [
        (module, name, buffer, buffer.clone())
        for module in modules
        for name, buffer in module._buffers.items()  # noqa: SLF001 (a buffer of two names has to be found under both)
        if buffer is not None
    ]
    states = random.getstate(), np.random.get_state(), torch.get_rng_state()  # noqa: NPY002 (the model may use it)
    # Asking for the state of a device that was never used would initialize it.
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else None
    try:
        yield
    finally:
        for module, was in zip(modules, training, strict=True):
            module.training = was
        for module, name, buffer, values in buffers:
            with torch.no_grad():
                buffer.copy_(values)
            module._buffers[name] = buffer  # noqa: SLF001 (as above)
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002 (as above)
        torch.set_rng_state(states[2])
        if cuda is not None:
            torch.cuda.set_rng_state_all(cuda)
