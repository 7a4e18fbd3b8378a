"""The tutorials and the quickstart, run in JupyterLab with the real libraries: by `make tutorials`."""
