"""Hosts other than JupyterLab and Notebook 7, and Firefox: run by `make hosts`, not by `make test`."""
