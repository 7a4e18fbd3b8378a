"""Event files to columns of numbers and addresses of all other values: the map of the reader.

An event file is a sequence of records: length, CRC of the length, data, CRC of the data (files/framing.py). The data is
an Event, mostly a summary of values, each with a tag. Two things are kept of them:

    numbers    scalars, as columns: tag, step, wall time, value
    addresses  of all other values (histograms, images, text ...): offset of the record, index in the event. These are
               read again, checked and parsed when somebody asks for them

The modules here make what logs/ uses of the packages, which import only from those above them:

    recordfile.py   a file: gives windows of 4 MB from where the last reading ended; truncation, replacement, damage;
                    its fingerprint tells whether it still begins as it did
    decode.py       a window: its `Batch` of numbers, addresses, new tag information, attachments (graphs, run
                    metadata), and where each record begins; records whose decoding raises
    lookup.py       one event by its address

    limits.py       every threshold, with its unit and reason
    indices.py      what numpy refuses of 64-bit counts where addresses have 32
    files/          storage.py opens and reads · scan.py walks directories · framing.py finds records · checksums.py is
                    CRC-32C · remote.py is remote storage, and chooses the storage of a path or URL; its requests are
                    made of fsspec by filesystems.py · remote_file.py keeps bytes · refusals.py says what failed ·
                    urls.py leaves credentials out · wire.py finds fields of a message
    resync.py       finds the next valid record behind damage, and bounds what forged lengths may cost
    values/         summary.py is one value: tag, form, tag information · forms.py are the forms that decide its kind
                    tensors.py is the table of tensor types, and gives the number in a tensor of one element
                    arrays.py gives whole tensors · batch.py · attachments.py: graphs and run metadata
    large.py        a record above 64 kB, read in pieces: what it holds, without its long parts
    columnar/       layouts.py, groups.py, cycles.py: scalars
                    events.py, payloads.py: all other values

A record of up to 64 kB is read in one of three ways. `decode.py` offers the records of a window to the first two, gives
what is left to the third, and merges the results in the order written. The first two take nothing that is unusual and
nothing whose checksum fails: protobuf decides about that.

    1. by layout    scalars, where 32 records and more are in the window. A layout is all of a record's bytes but wall
                    time, step and values; layouts.py learns one from each first record and recognizes others by a hash;
                    groups.py says where their numbers are, and slices them. Where layouts repeat, cycles.py
                    recognizes them all at once.
    2. by column    other values, where 48 events and more are in the window: events.py reads one field of all events at
                    a time (by a cursor of payloads.py, which says what form their values have). Where most events
                    of the last window had no scalars, this comes first.
    3. by protobuf  one record after the other: the rest of decode.py, with values/summary.py

What each gains: `make bench ARGS="--only ways"` switches them off one at a time. CPU ms of a cold reading in a fresh
process with all, and how many times as much without one, on one machine at one time; differences of up to 0.15 are
noise.

                                torch   TF1   TF2   40 tags   small files   histograms
    values                       500k  500k  500k      500k           40k         250k
    with all ways, ms              65    42    74        70           215          416
    without periods of lengths    3.2   1.3   3.0       3.1           1.1          1.3
    without layouts               9.5   7.0  10.2       8.3           1.3          0.9
    without cycles                1.4   1.1   1.3       1.3           1.1          0.9
    without events by column      1.0   1.0   1.0       1.0           1.0          5.6

A file of 12,345 tags costs six times as much a value as the torch shape: protobuf parses a record of each tag twice, as
layouts are learned at second sight where nearly every record has another.

Tags that are written together share steps and wall times (engine/partitioning.py), which saves memory.

Where to look when something is wrong (engine/ is logs/engine/):

    a scalar: its value         in many records: columnar/groups.py; in a few: values/tensors.py
    any other value: what it    logs/kinds/<kind>.py, such as histograms.py, which interprets the message that lookup.py
    holds                       found; in TF2 that is a tensor (values/arrays.py), in TF1 a message of the kind's own
    any other value: missing,   in many records: columnar/events.py (step, wall time), columnar/payloads.py (form);
    misplaced, of another kind  in a few: decode.py, values/summary.py; above 64 kB: large.py. The form decides
                                the kind: values/forms.py, and the forms that logs/kinds/<kind>.py takes. Of images and
                                clips, several to a value: logs/sequences.py
    a tag's plugin or name      values/summary.py, columnar/layouts.py
    records missing or twice    recordfile.py, files/framing.py, resync.py
    points superseded, or not   engine/superseding.py, which compares sessions and the times of files; engine/run.py
                                leaves them out and counts them
    a run or file not found     files/scan.py: links, limits, when a directory is listed again; then
                                engine/discovery.py, which sorts files into runs
    a replaced or rewritten     recordfile.py: `_recognize` and `Fingerprint` compare what was read before. Whether
    file not noticed            a file is read at all: engine/eventfile.py; when it is polled: engine/follower.py
    a restart not recognized    of a SessionLog START: decode.py, large.py, then engine/eventfile.py, which
                                counts sessions; of a later file: `FileTimeSpan` in engine/superseding.py
    a hyperparameter: its type  logs/kinds/hparams.py; of a table's column logs/frame.py
    a problem: its offset       of damage recordfile.py; of a record decode.py, then engine/eventfile.py; of a value
                                that was asked for logs/items.py; of one that does not fit its tag's kind
                                engine/catalog.py
    a graph, or a step's cost   values/attachments.py; then graph/
    right here, wrong on a page panels/<kind>.py, then js/src/panels/
    it depends on how many      columnar/; tests/support/eager.py lowers all thresholds: the same must be read
"""
