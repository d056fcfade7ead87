#pragma once

#include "core/base/seeded_hash.h"
#include "core/store/published/epoch_index.h"
#include "core/store/published/image_index.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace highwater::store {

/// Beyond this distance from an entry point there may be other, unknown functions, as with exports.
inline constexpr ByteCount kFarFromEntryPoint = 16u << 10;

/// A range whose code may have changed, in any epoch.
struct CodeChange {
    ProcessIndex process;
    Address first = 0;
    Address last = 0;
};

/// Entries of one process in their order. The last entry that covers an address counts. They are indexed in runs, each
/// more than twice as long as the next. A new run absorbs shorter ones.
struct CodeRuns {
    struct Run {
        std::size_t begin;
        std::uint32_t firstEpoch; ///< the index counts from it
        EpochIndex index;
    };
    std::vector<std::uint32_t> numbers;
    std::vector<Run> runs;
    std::size_t indexed = 0;
};

/// Finds the generated function at an address in an epoch. Grows with the publications of one trace; the cost depends
/// on new entries and not on known ones. One thread.
class CodeIndex {
  public:
    /// Adds a publication. Returns true if it has new entries.
    bool update(const PublishedTrace& trace);
    /// Changes of the last update.
    [[nodiscard]] const std::vector<CodeChange>& changes() const { return changes_; }
    /// Numbers of modules whose functions became known before their names, in the last update.
    [[nodiscard]] const std::vector<std::uint32_t>& otherModules() const { return otherModules_; }
    [[nodiscard]] std::uint32_t moduleOf(std::uint32_t number) const { return entry(number).module; }
    [[nodiscard]] bool isEmpty() const { return known_ == 0; }

    /// The number of the function's entry. Nothing if no function is known at the address.
    [[nodiscard]] std::optional<std::uint32_t> find(StackRoot root, Address address);
    /// The entry of the function whose entry point is the nearest one before the address, in the same image. Only
    /// called functions are known, so beyond kFarFromEntryPoint there may be others.
    [[nodiscard]] std::optional<std::uint32_t> findEntryPoint(StackRoot root, Address address);
    /// Whether the process has a runtime with named code.
    [[nodiscard]] bool hasNamedCode(ProcessIndex process) const;

    // For an entry returned by find() or findEntryPoint().
    /// The code is in an image. Code that is not precompiled but in an image is a leftover of the runtime.
    [[nodiscard]] bool isPrecompiled(std::uint32_t number) const { return entry(number).isPrecompiled; }
    [[nodiscard]] Address start(std::uint32_t number) const { return entry(number).start; }
    /// The module of its source lines; nothing if unknown.
    [[nodiscard]] std::optional<ModuleIndex> ilModule(std::uint32_t entry) const;
    /// The origin of code.
    struct IlOrigin {
        std::uint32_t token = 0;  ///< token of the method in its module
        std::uint32_t offset = 0; ///< in its IL, bytes
        /// False if the method was compiled several times and the map of the code is only a guess.
        bool isCertain = true;
    };
    /// For the code at an address; nothing if it has no map.
    [[nodiscard]] std::optional<IlOrigin> ilOrigin(std::uint32_t entry, Address address) const;
    [[nodiscard]] std::string moduleName(std::uint32_t entry) const; ///< "MyApp.dll"; "[dynamic]" if it has none
    [[nodiscard]] std::string function(std::uint32_t entry) const;   ///< empty if it has no name
    [[nodiscard]] std::string arguments(std::uint32_t entry) const;  ///< "(class System.String,bool)", or empty

  private:
    struct EntryPoint {
        std::uint32_t number = 0;           ///< number of its entry
        const LoadedImage* image = nullptr; ///< which contained it when it was recorded; null if none, or not looked up
                                            ///< yet
    };
    struct OfProcess {
        CodeRuns earlier; ///< hidden by others; of all epochs
        CodeRuns later;
        std::vector<EntryPoint> entryPoints;  ///< sorted by address once entryIndex exists
        std::optional<EpochIndex> entryIndex; ///< index of entryPoints; not built yet if empty
        bool hasRuntime = false;

        [[nodiscard]] bool hasCode() const { return !earlier.numbers.empty() || !later.numbers.empty(); }
        [[nodiscard]] bool hasNamedCode() const { return hasRuntime && hasCode(); }
    };

    /// The subject of IL maps.
    struct Body {
        std::vector<Address> starts;     ///< starts of its code, in recorded order, each once
        std::vector<std::uint32_t> code; ///< the entries of these starts
        std::vector<std::uint32_t> maps; ///< map numbers, in that order
    };

    void take(std::uint32_t number);
    void takeModuleName(const CodeEntry& taken);
    void takeModulePdb(const CodeEntry& taken);
    void noteOtherModule(std::uint32_t module);
    void noteChange(const CodeEntry& taken, ByteCount bytes);
    void indexNew(CodeRuns& entries, bool ofAllEpochs) const;
    [[nodiscard]] EpochIndex makeIndex(const CodeRuns& entries, std::size_t begin, std::uint32_t firstEpoch,
                                       bool ofAllEpochs) const;
    [[nodiscard]] static std::optional<std::uint32_t> findIn(const CodeRuns& entries, std::uint32_t epoch,
                                                             Address address);
    void takeMethod(const CodeMethod& method);
    void takeMap(std::uint32_t number);
    Body& bodyOf(std::uint32_t number);
    void noteOtherLines(const Body& body);
    void makeEntryIndex(ProcessIndex index, OfProcess& process);
    [[nodiscard]] const CodeEntry& entry(std::uint32_t number) const { return columns_->names->code.entries[number]; }

    std::shared_ptr<const TraceColumns> columns_;
    std::shared_ptr<const ProcessTable> processTable_; ///< contains the images of the entry points
    std::optional<ImageIndex> images_;                 ///< index of processTable_
    std::uint64_t known_ = 0;
    std::uint64_t knownMaps_ = 0;
    std::vector<CodeMethod> methods_; ///< all known methods, by entry
    std::vector<Body> bodies_;        ///< by number
    tsl::robin_map<std::uint32_t, OfProcess, SeededHash> processes_;
    std::vector<std::optional<std::uint32_t>> moduleTexts_; ///< by number
    std::vector<std::optional<ModuleIndex>> ilModules_;     ///< the same
    std::vector<bool> isModuleUsed_;                        ///< by number; used by a function
    std::vector<CodeChange> changes_;
    std::vector<std::uint32_t> otherModules_;
};

} // namespace highwater::store
