"""Scan a log directory, keep the files of its runs read, follow them, and flush their writers.

    directory.py        the source: locks, subscribers, who needs it followed
    follower.py         the thread that polls, and how often
    reader.py           a poll, step by step: one walk, then one window of one file after the other
    fetching.py         groups of files that a remote storage fetches at once
    discovery.py        which files the walk found, sorted into runs
    checkpoint_files.py checkpoints that the walk found, and the runs that each belongs to
    run.py              a run: the points of its files joined; superseding.py leaves out what a restart wrote again
    catalog.py          the tags of a run and their kinds, by the declarations.py of its files
    eventfile.py        a file: what was read of it, its problems; when it is tried again
    partitioning.py     points of a file, partitioned by tag
    cache.py            which files come from the cache, and when it is written; entries.py: a file as it is kept there
    executors.py        files read by workers of an executor
    flushing.py         the writers of this process, flushed so that their values are in the files

A change of a file passes follower.py, directory.py, reader.py, eventfile.py, partitioning.py and run.py, in this order;
`Changes` then tell subscribers the names of the series that changed.
"""
