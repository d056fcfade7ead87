#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// What was typed, command by command; the words are given meaning by query_arguments.

/// What of the log is wanted, of any command.
struct LogRequest {
    std::string level;    ///< "": as HIGHWATER_LOG has it
    bool verbose = false; ///< shown on stderr, too
};

/// How traces are read, of every command that reads some.
struct ReadRequest {
    std::string memoryBudget; ///< "": the usual one
    bool noIndex = false;     ///< also what was opened before is read again
};

/// How answers are written, of every command that writes some as CSV.
struct CsvRequest {
    bool quotesFormulas = false;
};

struct InfoRequest {
    std::vector<std::string> traces;
    bool json = false;
    bool modules = false;         ///< all of them, with their identities
    bool processes = false;       ///< at more length
    std::string snapshotFolder{}; ///< where heap snapshots of Windows are written; "": nowhere
    bool strict = false;          ///< as of tables
};

/// Where names of functions come from.
/// What --stack-tags calls the tags that are built in.
inline constexpr std::string_view kBuiltInStackTagsWord = "built-in";

struct SymbolsRequest {
    std::string path; ///< "": _NT_SYMBOL_PATH
    bool isOff = false;
    bool hasFullNames = false;
    bool skipsTraceFolders = false;     ///< TRACE.etl.NGENPDB
    bool trustsImagePaths = false;      ///< also of a trace that was recorded elsewhere
    std::vector<std::string> stackTags; ///< files, or kBuiltInStackTagsWord; empty: those that are built in
};

/// Which rows take part: all of query, lifeTime and size must hold, "" being all rows; and what queries and columns
/// call marks and labels.
struct FilterRequest {
    std::string query;
    std::string lifeTime;                 ///< FROM:TO
    std::string size;                     ///< FROM:TO
    std::vector<std::string> marks;       ///< SECONDS[=NAME], beside those of the trace
    std::vector<std::string> annotations; ///< LABEL=QUERY each

    [[nodiscard]] bool isEmpty() const { return query.empty() && lifeTime.empty() && size.empty(); }
    /// Each option that leaves rows out, as it was given; long queries by name.
    [[nodiscard]] std::vector<std::string> words() const;
};

struct TableRequest {
    std::vector<std::string> traces;
    std::string preset; ///< gives what is empty of table, by, columns and sort
    std::string table;
    std::string by;
    std::string columns;
    std::string range;
    FilterRequest filter;
    std::vector<std::string> snapshots; ///< seconds, each an instance beside the snapshots of the trace
    std::string sort;
    SymbolsRequest symbols;
    std::string allocatorFramesFile;
    std::string format = "text";
    std::string units = "thousands"; ///< of text
    std::uint32_t depth = 0;         ///< 0: all levels
    std::uint32_t top = 0;           ///< 0: all rows
    bool listsColumns = false;       ///< that, and nothing of a trace
    bool listsPresets = false;
    bool leaves = false;    ///< only rows that have none below them
    bool wallClock = false; ///< times as local time of the recording
    bool processExitFreesHeap = false;
    bool strict = false;
};

struct TimelineRequest {
    std::vector<std::string> traces;
    std::string table;
    std::string by;
    std::string range;
    FilterRequest filter;
    std::vector<std::string> snapshots; ///< as of tables
    SymbolsRequest symbols;
    std::string measure = "bytes";
    std::string format = "csv";
    std::uint32_t points = 1000;
    bool wallClock = false; ///< as of tables
    bool processExitFreesHeap = false;
    bool strict = false;
};

struct LeaksRequest {
    std::vector<std::string> traces;
    std::string table; ///< "": heap, or virtualalloc where nothing of heaps was recorded
    std::string range;
    FilterRequest filter;
    SymbolsRequest symbols;
    std::vector<std::string> suppressions; ///< files
    std::vector<std::string> owners;       ///< functions that are never wrappers
    std::vector<std::string> wrappers;     ///< functions that are wrappers of allocators
    std::string format = "text";
    std::uint32_t top = 10;
    bool strict = false; ///< as of tables
};

/// As leaks: the same rows.
struct GenerationsRequest {
    LeaksRequest rows; ///< top: stacks of a generation
    bool processExitFreesHeap = false;
};

/// What was called otherwise before.
struct RenamesRequest {
    std::string file;               ///< "": none
    std::vector<std::string> lines; ///< as in the file, beside it
};

struct DiffRequest {
    std::vector<std::string> traces; ///< each a trace of its own
    std::vector<std::string> with;   ///< the same; empty: the traces themselves, in withRange
    std::string table;               ///< "": heap, or virtualalloc where nothing of heaps was recorded
    std::string range;
    std::string withRange; ///< "": as range
    FilterRequest filter;
    std::string snapshotPair;           ///< "A:B": two snapshots of one trace; "": intervals are compared
    std::vector<std::string> snapshots; ///< as of tables
    std::string by;                     ///< "": Process,Stack
    std::string sort;
    RenamesRequest renames;
    std::string smallest;  ///< bytes; "": 0
    std::string failAbove; ///< bytes; "": never
    SymbolsRequest symbols;
    std::string format = "text";
    std::uint32_t depth = 0; ///< as of tables
    std::uint32_t top = 0;
    std::uint32_t timeline = 0; ///< so many slices instead of the tree; 0: the tree
    bool bottomUp = false;      ///< stacks, where `by` is empty
    bool strict = false;        ///< as of tables
};

struct FlamesRequest {
    std::vector<std::string> traces;
    std::string table; ///< "": as of leaks
    std::string by;    ///< "": Process
    std::string range;
    std::string before;            ///< "": compared with nothing
    std::vector<std::string> with; ///< files of one trace that came after; empty: none
    std::string withRange;         ///< of that; "": as range
    RenamesRequest renames;        ///< of a comparison with it
    FilterRequest filter;
    std::string measure; ///< "": Impacting Size, of frees Size, of two traces Outstanding
    SymbolsRequest symbols;
    std::string format = "folded";
    bool bottomUp = false;
    bool processExitFreesHeap = false;
    bool strict = false;
};

/// What `record` was asked for, as words and numbers.
struct RecordRequest {
    bool heap = false; ///< neither this nor virtualAlloc: both
    bool virtualAlloc = false;
    bool stacksOnFree = false;
    bool children = false;
    bool withoutManagedNames = false;
    bool plain = false;           ///< the file is not compressed
    bool ignoreExitCode = false;  ///< that of the program is told, but not passed on
    double duration = 0;          ///< seconds; 0: until the program ends or the user interrupts
    double stopAbove = 0;         ///< MB of private bytes; 0: never
    double stopGrowth = 0;        ///< MB; 0: never
    std::string keepLast;         ///< "": all
    double snapshotEvery = 0;     ///< seconds; 0: none
    std::string snapshotOnGrowth; ///< "": none
    std::vector<std::uint32_t> pids;
    std::optional<std::uint32_t> snapshotsByWpr{}; ///< seconds between them; 0: at the begin and the end
    std::string output;
    std::vector<std::string> program; ///< with its arguments
};

} // namespace highwater::cli
