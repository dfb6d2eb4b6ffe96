# SPDX-License-Identifier: MIT
"""Stores the results of slow functions, for tests whose archives contain the same positions of the same games many
times."""
import pickle


def remember(module, name, weights):
    """Makes a function return stored results for equal arguments. The first arguments, a number of `weights`, never
    change."""
    function, results = getattr(module, name), {}

    def remembering(*arguments):
        state = pickle.dumps(arguments[weights:])
        if state not in results:
            results[state] = function(*arguments)
        return results[state]
    setattr(module, name, remembering)
