"""The limits and thresholds of the reader, each with its unit and reason; what a format defines stands with its code.

Speed alone depends on thresholds: tests/support/eager.py lowers them, and the same must be read.
"""

# Reading a file
WINDOW = 1 << 22
"""Bytes read and decoded at once. Half or twice as much is slower (`make bench`): numpy's calls against the caches."""
FREED_MEMORY_KEPT = 31 << 20
"""Bytes of one block that is freed once, so that glibc's malloc keeps up to twice as much for the next window."""
WINDOW_AFTER_DAMAGE = 1 << 16
"""Bytes read first behind damage: more of it may follow soon."""
READ_BEHIND_LARGE = 1 << 12
"""Bytes read behind a large record, where another one may begin."""
LARGE_RECORD_BEGIN = 1 << 9
"""Bytes that tell of most large records what they hold."""
MAX_LARGE_RECORDS_IN_A_ROW = 16
"""Large records, or windows between them, in one reading: other threads wait for the lock."""
SEARCHED_AGAIN = 1 << 18
"""Bytes behind the offset that are searched for a record each time, whatever was found before."""
MAX_FAILED_RECORDS = 100
"""Records of one file whose decoding may raise, after which the file is given up."""
MAX_DAMAGE_LISTED = 1000
"""Damaged places listed for one file; more are counted."""
DAMAGE_COMPARED = 16
"""Last damaged places that are compared with the file at each reading: a hole may be filled later."""
MAX_DAMAGE_REMEMBERED_BYTES = 1 << 20
"""Bytes of a damaged place that are part of the file's fingerprint."""
IDLE_S = 10.0
"""Seconds without a change after which a file counts as idle, so that it needs no fingerprint."""
CLOCK_TICK_NS = 50_000_000
"""Nanoseconds in which two changes may leave the same time in the file system."""
FINGERPRINT_CHUNK = 1 << 20
"""Bytes read at once to compare a file with its fingerprint."""

# Walking a log directory
MAX_DEPTH = 64
"""Levels of directories below the root."""
MAX_ENTRIES = 1_000_000
"""Entries of directories met in one walk, whatever they are."""

MAX_CHECKPOINT_PATH_BYTES = 1 << 12
"""Bytes of a checkpoint's path in a session log; a longer one is passed over."""
MAX_LOGGED_CHECKPOINTS = 10_000
"""Checkpoints named in the session logs of one file that are kept; further ones are passed over."""

# Framing
MIN_FOLLOWED_RECORDS = 64
"""Records followed one by one before a period of their lengths is looked for; doubled until one is found."""
MAX_FOLLOWED_RECORDS = 4096
"""Upper bound of the records followed one by one."""
MIN_COMPARED_ROW_BYTES = 1 << 12
"""Bytes of records compared as one row, at least: numpy is slow with short rows."""
MAX_HEADERS_COMPARED_EACH = 16
"""Headers in a period up to which each is compared on its own, not the whole row."""
MIN_REPEAT_RECORDS = 256
"""Records after which a period that ends may have been part of a longer one."""
FIRST_PREDICTED_BYTES = 1 << 16
"""Bytes whose headers are predicted in the first step; later steps are longer."""
MAX_PREDICTED_BYTES = 1 << 19
"""Upper bound of the bytes whose headers are predicted in one step."""
SMALL_WINDOW = 1 << 12
"""Bytes up to which records are followed one by one to the end: the pieces in which a followed file grows."""

# Damage
FIRST_SEARCH_BYTES = 1 << 12
"""Bytes of the first read of a search, since most damage is short; each further read is twice as long."""
MAX_SEARCH_BYTES = 1 << 20
"""Upper bound of a read of a search, and size of the reads for a data checksum."""
SEARCH_STEP_BYTES = 1 << 24
"""Bytes searched before others get the lock: a few hundredths of a second."""
SEARCH_BUDGET_BYTES = 1 << 28
"""Bytes of a file checksummed in vain, in addition to its size: what forged headers may cost."""

# Large records
MIN_LARGE_READ_BYTES = 1 << 12
"""Smallest read of a large record; doubled while reads follow each other."""
MAX_LARGE_READ_BYTES = 1 << 16
"""Largest read of a large record."""
MAX_NAME_BYTES = 1 << 20
"""Bytes of a tag or another name, from which the record counts as malformed."""
MAX_MESSAGE_PIECES = 1 << 16
"""Pieces of one message that are merged, from which the record counts as malformed."""
MAX_WHOLE_VALUE_BYTES = 1 << 14
"""Bytes of a value up to which protobuf parses it whole, which is quicker than to look for its long fields."""
MAX_KEPT_FIELD_BYTES = 1 << 8
"""Bytes of a field above which it is left out."""
MAX_KEPT_VALUE_BYTES = 1 << 20
"""Bytes kept of one value."""
LOOKUP_FIRST = 1 << 12
"""Bytes read at an address to learn how long its record is."""
LOOKUP_AHEAD = 1 << 20
"""Upper bound of the bytes read ahead, where many values are asked for."""
LOOKUP_BEGIN = 1 << 14
"""Bytes fetched first at each address on remote storage, since they may hold the whole record."""
LOOKUP_RECORDS = 1 << 8
"""Records whose begins are fetched by one call."""
LOOKUP_FETCHED = 1 << 26
"""Upper bound of the bytes of several records that one call fetches."""
LOOKUP_ALONE = 1 << 29
"""Upper bound of the bytes of a single record that is fetched: it is read twice, for its checksum and its content."""
HUGE_RECORD = 1 << 24
"""Bytes of data from which an addressed record is not read whole."""

# Decoding a window
MIN_RECORDS_FOR_LAYOUTS = 32
"""Records below which layouts are not worth their set-up."""

# Layouts of scalars
MIN_LAYOUT_RECORD_BYTES = 19
"""Bytes of a record that may have a layout: wall time, one step, one value."""
MIN_RECORDS_OF_LENGTH = 16
"""Records of one length below which protobuf is quicker."""
MAX_LAYOUT_GROUPS = 16
"""Layout groups for records of one length whose summary begins in the same place."""
MAX_SEEN_HASHES = 1 << 18
"""Hashes kept of records that get a layout when they are seen once more; 8 bytes each."""
MAX_BACKOFF_WINDOWS = 64
"""Windows for which layouts are not looked for where there were hardly any."""
MAX_UNPARSED_RECORDS = 8
"""Records of one length without a layout, after which protobuf takes the rest."""
MAX_LAYOUTS = 200_000
"""Layouts after which the table is emptied."""
MIN_RECORDS_IN_CYCLES = 256
"""Records whose lengths repeat, below which cycles of layouts are not looked for."""
MIN_RECORDS_PER_CYCLE_LENGTH = 2048
"""Records for each length within a cycle, below which they are read length by length."""
FIRST_SAMPLE_RECORDS = 64
"""Records in which a cycle is looked for first; four times as many where none is found."""
MAX_SAMPLE_RECORDS = 4096
"""Upper bound of the records in which a cycle is looked for: more cost more than they save."""
MAX_LEARNED_RECORDS = 4096
"""Records from which layouts are learned before a cycle is looked for again."""
MAX_LAYOUT_RECORD_BYTES = 1 << 17
"""Bytes of a record that may have a layout."""
MIN_RECORDS_IN_ORDER = 256
"""Records from which layouts are first tried in the order in which they were learned."""
MAX_HASHED_BYTES = 1 << 18
"""Bytes of records hashed at once: what fits the caches."""
MAX_CHECKSUMMED_BYTES = 1 << 18
"""Varying bytes whose contributions to checksums are looked up at once: nine bytes each must fit the caches."""
MAX_VARYING_BYTES = 160
"""Varying bytes of a record above which a checksum of the whole record is cheaper than their contributions."""
MIN_CYCLE_ROW_BYTES = 1 << 12
"""Bytes of repeats compared as one row, at least: numpy is slow with short rows."""
MAX_CYCLE_BLOCK_BYTES = 1 << 19
"""Bytes of repeats compared at once: what fits the caches."""

# Other values by column
MIN_EVENTS = 48
"""Events below which protobuf is quicker."""
MIN_EVENTS_WITH_MORE_VALUES = 32
"""Events with a further value, below which protobuf is quicker."""
MAX_VALUES_PER_EVENT = 1 << 10
"""Values of one event."""
MAX_METADATA_BYTES = 1 << 10
"""Bytes of metadata kept for comparison."""
MAX_METADATA = 1 << 12
"""Different metadata kept of one file, after which they are forgotten."""
MAX_COMPARED_BYTES = 1 << 6
"""Bytes of a piece up to which it is tried whether all rows hold the same."""
MAX_STRINGS = 16
"""Strings of a tensor that are counted by column."""
MAX_TENSOR_HEAD_BYTES = 1 << 8
"""Bytes of a tensor's dtype and shape."""
MAX_TENSOR_CLASSES = 1 << 12
"""Different dtypes and shapes kept of one file, after which they are forgotten."""

# Values
MAX_DIMENSIONS = 32
"""Dimensions of an array in numpy 1."""
MAX_ARRAY_BYTES = 1 << 62
"""Size of an array, even where one value stands for all elements."""
MAX_REPEATED_STRINGS = 1 << 20
"""Strings that a shorter list may stand for."""
MAX_FORMS_KEPT = 1 << 12
"""Tensors' forms kept by dtype, shape and size."""
