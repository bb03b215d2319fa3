"""Helpers as parts: linked into whoever calls them, and made machine code there alone.

Numba makes machine code of every compiled function, with all that it calls linked in. Helpers of
ours are inlined where they are called and never run on their own, so that is work in vain: a fifth
of the time to compile a search. A part is optimised, for whoever inlines it, and no more; machine
code is made of a whole, which is called from outside (a kernel, a rule).
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

__all__ = ["PartCompiler", "WholeCompiler"]

_ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of their variables begin


class Owner:
    """Numba's code generator, as a part has it: there is no place yet for an environment."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        """A whole that this part is linked into does so."""


class Part(JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """The code of a helper, optimised and not made machine code."""

    @property
    def codegen(self) -> Any:
        """What environments are handed to."""
        return Owner(self._codegen)

    def finalize(self) -> None:
        """Link in what it calls and optimise it, as Numba does, for whoever inlines it."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            if hasattr(library, "_reload_init"):  # what later versions of Numba run at loading
                self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._optimize_final_module()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No address: it is machine code only inside of others."""
        self._ensure_finalized()
        return 0


class Whole(JITCodeLibrary):  # type: ignore[misc]
    """What is made machine code: it has the environments of its parts, too.

    An environment holds the objects of Python that code refers to, in order to print them, say.
    """

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                env = lookup_environment(variable.name)
                if env is not None:
                    self._codegen.set_env(variable.name, env)


class _LibraryCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function to a library of a class of ours, in place of Numba's own."""

    library: type[JITCodeLibrary]

    def compile_extra(self, func: Any) -> Any:
        """Have the passes fill that library."""
        if self.state.library is None:
            self.state.library = self.library(self.state.targetctx.codegen(), func.__qualname__)
            self.state.library.enable_object_caching()
        return super().compile_extra(func)


class PartCompiler(_LibraryCompiler):
    """Compiles a function to a part."""

    library = Part


class WholeCompiler(_LibraryCompiler):
    """Compiles a function to a whole."""

    library = Whole
