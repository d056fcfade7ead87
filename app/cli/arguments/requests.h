#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// Arguments of each command as typed; query_arguments parses them.

/// Log options of any command.
struct LogRequest {
    std::string level;    ///< "": use HIGHWATER_LOG
    bool verbose = false; ///< also print to stderr
};

/// Options of commands that read traces.
struct ReadRequest {
    std::string memoryBudget; ///< "": default
    bool noIndex = false;     ///< ignore cached indexes
};

/// Options of commands that can write CSV.
struct CsvRequest {
    bool quotesFormulas = false;
};

struct InfoRequest {
    std::vector<std::string> traces;
    bool json = false;
    bool modules = false;         ///< list all with their identities
    bool processes = false;       ///< more detail
    std::string snapshotFolder{}; ///< folder for heap snapshots by Windows; "": do not save
    bool strict = false;          ///< as in table
};

/// Symbol options. kBuiltInStackTagsWord in --stack-tags selects the built-in tags.
inline constexpr std::string_view kBuiltInStackTagsWord = "built-in";

struct SymbolsRequest {
    std::string path; ///< "": _NT_SYMBOL_PATH
    bool isOff = false;
    bool hasFullNames = false;
    bool skipsTraceFolders = false;     ///< TRACE.etl.NGENPDB
    bool trustsImagePaths = false;      ///< even if the trace was recorded elsewhere
    std::vector<std::string> stackTags; ///< files, or kBuiltInStackTagsWord; empty: built-in
};

/// Selects rows that match all of query, lifeTime and size ("" selects all), and defines the marks and labels that
/// queries and columns refer to.
struct FilterRequest {
    std::string query;
    std::string lifeTime;                 ///< FROM:TO
    std::string size;                     ///< FROM:TO
    std::vector<std::string> marks;       ///< SECONDS[=NAME], in addition to those of the trace
    std::vector<std::string> annotations; ///< LABEL=QUERY

    [[nodiscard]] bool isEmpty() const { return query.empty() && lifeTime.empty() && size.empty(); }
    /// The options that exclude rows, as given; long queries by name only.
    [[nodiscard]] std::vector<std::string> words() const;
};

struct TableRequest {
    std::vector<std::string> traces;
    std::string preset; ///< default for empty table, by, columns and sort
    std::string table;
    std::string by;
    std::string columns;
    std::string range;
    FilterRequest filter;
    std::vector<std::string> snapshots; ///< seconds; adds instances to the snapshots of the trace
    std::string sort;
    SymbolsRequest symbols;
    std::string allocatorFramesFile;
    std::string format = "text";
    std::string units = "thousands"; ///< text format only
    std::uint32_t depth = 0;         ///< 0: all levels
    std::uint32_t top = 0;           ///< 0: all rows
    bool listsColumns = false;       ///< list only, without reading a trace
    bool listsPresets = false;
    bool leaves = false;    ///< only rows without child rows
    bool wallClock = false; ///< show local time of the recording
    bool processExitFreesHeap = false;
    bool strict = false;
};

struct TimelineRequest {
    std::vector<std::string> traces;
    std::string table;
    std::string by;
    std::string range;
    FilterRequest filter;
    std::vector<std::string> snapshots; ///< as in table
    SymbolsRequest symbols;
    std::string measure = "bytes";
    std::string format = "csv";
    std::uint32_t points = 1000;
    bool wallClock = false; ///< as in table
    bool processExitFreesHeap = false;
    bool strict = false;
};

struct LeaksRequest {
    std::vector<std::string> traces;
    std::string table; ///< "": heap, or virtualalloc if no heap was recorded
    std::string range;
    FilterRequest filter;
    SymbolsRequest symbols;
    std::vector<std::string> suppressions; ///< files
    std::vector<std::string> owners;       ///< functions that are never wrappers
    std::vector<std::string> wrappers;     ///< functions that wrap allocators
    std::string format = "text";
    std::uint32_t top = 10;
    bool strict = false; ///< as in table
};

/// Selects the same rows as leaks.
struct GenerationsRequest {
    LeaksRequest rows; ///< top is the number of stacks per generation.
    bool processExitFreesHeap = false;
};

/// Renamed functions and modules.
struct RenamesRequest {
    std::string file;               ///< "": none
    std::vector<std::string> lines; ///< additional lines in the format of the file
};

struct DiffRequest {
    std::vector<std::string> traces; ///< each is a separate trace
    std::vector<std::string> with;   ///< separate traces; empty: the same traces in withRange
    std::string table;               ///< "": heap, or virtualalloc if no heap was recorded
    std::string range;
    std::string withRange; ///< "": as range
    FilterRequest filter;
    std::string snapshotPair;           ///< "A:B": two snapshots of one trace; "": compare intervals
    std::vector<std::string> snapshots; ///< as in table
    std::string by;                     ///< "": Process,Stack
    std::string sort;
    RenamesRequest renames;
    std::string smallest;  ///< bytes; "": 0
    std::string failAbove; ///< bytes; "": never
    SymbolsRequest symbols;
    std::string format = "text";
    std::uint32_t depth = 0; ///< as in table
    std::uint32_t top = 0;
    std::uint32_t timeline = 0; ///< number of slices instead of the tree; 0: the tree
    bool bottomUp = false;      ///< bottom-up stacks if `by` is empty
    bool strict = false;        ///< as in table
};

struct FlamesRequest {
    std::vector<std::string> traces;
    std::string table; ///< "": as in leaks
    std::string by;    ///< "": Process
    std::string range;
    std::string before;            ///< "": no comparison
    std::vector<std::string> with; ///< files of one later trace; empty: none
    std::string withRange;         ///< range in the later trace; "": as range
    RenamesRequest renames;        ///< renames for that comparison
    FilterRequest filter;
    std::string measure; ///< "": Impacting Size; for frees Size; for two traces Outstanding
    SymbolsRequest symbols;
    std::string format = "folded";
    bool bottomUp = false;
    bool processExitFreesHeap = false;
    bool strict = false;
};

/// Arguments of `picture`.
struct PictureRequest {
    std::uint32_t pid = 0;
    std::string output;   ///< "": a new file in the current folder
    std::string onGrowth; ///< "": at once
    std::uint32_t top = 5;
    SymbolsRequest symbols;
    bool json = false;
};

/// Arguments of `record`.
struct RecordRequest {
    bool heap = false; ///< if neither this nor virtualAlloc is set, both are recorded
    bool virtualAlloc = false;
    bool stacksOnFree = false;
    bool children = false;
    bool withoutManagedNames = false;
    bool plain = false;           ///< the file is not compressed
    bool ignoreExitCode = false;  ///< print the program's exit code but do not return it
    double duration = 0;          ///< seconds; 0: until the program ends or the user interrupts
    double stopAbove = 0;         ///< MB of private bytes; 0: never
    double stopGrowth = 0;        ///< MB; 0: never
    std::string keepLast;         ///< "": all
    double snapshotEvery = 0;     ///< seconds; 0: none
    std::string snapshotOnGrowth; ///< "": none
    double pictureEvery = 0;      ///< seconds; 0: none
    std::string pictureOnGrowth;  ///< "": none
    bool pictureAtStop = false;
    bool pictureAtExit = false;
    std::vector<std::uint32_t> pids;
    std::optional<std::uint32_t> snapshotsByWpr{}; ///< seconds between snapshots; 0: only at start and end
    std::string output;
    std::vector<std::string> program; ///< including its arguments
};

} // namespace highwater::cli
