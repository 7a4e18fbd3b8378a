"""Send data to the browser, for any panel. docs/wire.md has the format, docs/scheduling.md the order of messages.

    content.py     what a panel implements: how a series, an item or a document is read and encoded, and its `max_bytes`
    clients.py     what browsers say, parsed; the open views, their viewports, and whether anybody still listens
    keys.py        the keys of a channel, how much of each was sent, which failed and when they are tried again
    planner.py     puts keys into the backlog: when they appear, change, or come on the screen
    plan.py        a message's steps, as a pure function; the backlog; the pace, and when everything is sent again
    channel.py     carries the steps out, and leaves a key that fits into no message to the next one, or reports it
    *_stream.py    what is sent of a key: series (buckets, points, details), items (an index and blobs), documents
    message.py     a message being built: its bounds in bytes, blobs in pieces; columns.py: how numbers are packed
    status.py      the status of each message: progress, ages, problems; redaction.py: what a saved page leaves out
    requests.py    answers what a page asks for; worker.py: slow blobs; sender.py: the thread that sends
    snapshot.py    all messages of a saved page

Twin: js/src/wire/. Tests move the clock by hand: tests/unit/test_wire_*.py.
"""
