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
MOST_LARGE_IN_A_ROW = 16
"""Large records, or windows between such, in one reading: others wait for the lock meanwhile."""
SEARCHED_AGAIN = 1 << 18
"""Bytes behind the offset that are searched for a record each time, whatever was found before."""
MOST_FAILED = 100
"""Records of one file passed over because decoding them raised, after which the file is given up."""
MOST_DAMAGE = 1000
"""Damaged places listed for one file; more are counted."""
DAMAGE_COMPARED = 16
"""Last damaged places that are compared with the file at each reading: a hole may be filled later."""
MOST_DAMAGE_REMEMBERED = 1 << 20
"""Bytes of a damaged place that are part of the file's fingerprint."""
AT_REST = 10.0
"""Seconds without a change after which a file is not expected to grow, so that it needs no fingerprint."""
CLOCK_TICK = 50_000_000
"""Nanoseconds in which two changes may leave the same time in the file system."""
FINGERPRINT_CHUNK = 1 << 20
"""Bytes read at once to compare a file with its fingerprint."""

# Walking a log directory
MAX_DEPTH = 64
"""Levels of directories below the root."""
MAX_ENTRIES = 1_000_000
"""Entries of directories met in one walk, whatever they are."""

# Framing
FEWEST_FOLLOWED = 64
"""Records followed one by one before a period of their lengths is looked for:"""
MOST_FOLLOWED = 4096
"""Twice as many each time that there is none, up to so many."""
ROW_COMPARED = 1 << 12
"""Bytes of records compared as one row, at least: numpy is slow with short rows."""
FEW_HEADERS = 16
"""Headers in a period up to which each is compared on its own, not the whole row."""
SHORT_REPEAT = 256
"""Records after which a period that ends may have been part of a longer one."""
FIRST_PREDICTED = 1 << 16
"""Bytes whose headers are predicted at once, at first;"""
MOST_PREDICTED = 1 << 19
"""And at most."""
SMALL_WINDOW = 1 << 12
"""Bytes up to which records are followed one by one to the end: the pieces in which a followed file grows."""

# Damage
FIRST_SEARCHED = 1 << 12
"""Bytes searched first, since most damage is short;"""
SEARCH_CHUNK = 1 << 20
"""Twice as many each time, up to so many. Data checksums read as much at once."""
SEARCHED_AT_ONCE = 1 << 24
"""Bytes searched before others get the lock: a few hundredths of a second."""
SEARCH_BUDGET = 1 << 28
"""Bytes checksummed in vain in one search, in addition to its own length: what forged headers may cost."""
LONG_RECORD = 1 << 17
"""Bytes of data below which a record's checksum is always computed directly."""
CHECKSUMMED_IN_VAIN = 1 << 26
"""Bytes of a file checksummed in vain before checksums of prefixes are kept."""
PREFIX_BLOCK = 1 << 16
"""Bytes between two prefixes of a file whose checksums are kept."""

# Large records
LEAST_OF_LARGE = 1 << 12
"""Bytes of a large record read at once, at least;"""
MOST_OF_LARGE = 1 << 16
"""Twice as many each time they follow each other, up to so many."""
LONGEST_NAME = 1 << 20
"""Bytes of a tag or another name, from which the record counts as malformed."""
MOST_PIECES = 1 << 16
"""Pieces of one message that are merged, from which the record counts as malformed."""
WHOLE_VALUE = 1 << 14
"""Bytes of a value up to which protobuf parses it whole, which is quicker than to look for its long fields."""
LONG_FIELD = 1 << 8
"""Bytes of a field above which it is left out."""
MOST_OF_VALUE = 1 << 20
"""Bytes kept of one value."""
LOOKUP_FIRST = 1 << 12
"""Bytes read at an address to learn how long its record is."""
LOOKUP_AHEAD = 1 << 20
"""Bytes read ahead, where many values are asked for, at most."""
LOOKUP_BEGIN = 1 << 14
"""Bytes fetched first at each address on remote storage, since they may hold the whole record;"""
LOOKUP_RECORDS = 1 << 8
"""Of so many records at once;"""
LOOKUP_FETCHED = 1 << 26
"""Bytes of records that are fetched at once, at most."""
LOOKUP_ALONE = 1 << 29
"""Bytes of a single record that is fetched, at most: it is read twice, for its checksum and for its content."""
HUGE_RECORD = 1 << 24
"""Bytes of data from which an addressed record is not read whole."""

# Decoding a window
FEWEST_FOR_LAYOUTS = 32
"""Records below which layouts are not worth their set-up."""

# Layouts of scalars
SHORTEST_WITH_LAYOUT = 19
"""Bytes of a record that may have a layout: wall time, one step, one value."""
FEWEST_OF_LENGTH = 16
"""Records of one length below which protobuf is quicker."""
MOST_GROUPS = 16
"""Layout groups for records of one length whose summary begins in the same place."""
MOST_SEEN_HASHES = 1 << 18
"""Hashes kept of records that get a layout when they are seen once more; 8 bytes each."""
LONGEST_BACKOFF = 64
"""Windows for which layouts are not looked for where there were hardly any."""
MOST_UNPARSED = 8
"""Records of one length without a layout, after which protobuf takes the rest."""
MOST_LAYOUTS = 200_000
"""Layouts after which the table is emptied."""
FEWEST_IN_CYCLES = 256
"""Records whose lengths repeat, below which cycles of layouts are not looked for;"""
FEWEST_OF_CYCLE_LENGTH = 2048
"""And for each length within the cycle, below which they are read length by length."""
SAMPLE = 64
"""Records in which a cycle is looked for first;"""
LARGEST_SAMPLE = 4096
"""Four times as many each time there is none, up to so many: more cost more than they save."""
LONGEST_PATTERN_TAG = 1 << 8
"""Bytes of a tag in a pattern."""
LEARNED_AT_ONCE = 4096
"""Records from which layouts are learned before a cycle is looked for again."""
LONGEST_WITH_LAYOUT = 1 << 17
"""Bytes of a record that may have a layout."""
FEWEST_IN_ORDER = 256
"""Records from which layouts are first tried in the order in which they were learned."""
HASHED_AT_ONCE = 1 << 18
"""Bytes of records hashed at once: what fits the caches."""
CHECKSUMMED_AT_ONCE = 1 << 18
"""Varying bytes whose contributions to checksums are looked up at once: nine bytes each must fit the caches."""
MOST_VARYING = 160
"""Varying bytes of a record above which the checksum of all of it is cheaper than that of those."""
CYCLE_ROW = 1 << 12
"""Bytes of repeats compared as one row, at least: numpy is slow with short rows."""
CYCLE_BLOCK = 1 << 19
"""Bytes of repeats compared at once: what fits the caches."""

# Other values by column
FEWEST_EVENTS = 48
"""Events below which protobuf is quicker;"""
FEWEST_WITH_MORE = 32
"""And events with a further value."""
MOST_VALUES = 1 << 10
"""Values of one event."""
LONGEST_METADATA = 1 << 10
"""Bytes of metadata kept for comparison."""
MOST_METADATA = 1 << 12
"""Different metadata kept of one file, after which they are forgotten."""
LONGEST_COMPARED = 1 << 6
"""Bytes of a piece up to which it is tried whether all rows hold the same."""
MOST_STRINGS = 16
"""Strings of a tensor that are counted by column."""
LONGEST_HEAD = 1 << 8
"""Bytes of a tensor's dtype and shape."""
MOST_TENSOR_CLASSES = 1 << 12
"""Different dtypes and shapes kept of one file, after which they are forgotten."""

# Values
MOST_DIMENSIONS = 32
"""Of an array of numpy 1."""
MOST_ARRAY_BYTES = 1 << 62
"""Of an array, even where one value stands for all elements."""
MOST_REPEATED_STRINGS = 1 << 20
"""Strings that a shorter list may stand for."""
MOST_FORMS_KEPT = 1 << 12
"""Tensors' forms kept by dtype, shape and size."""
