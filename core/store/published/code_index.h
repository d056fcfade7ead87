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

/// Further behind an entry point there are others that are not known, as behind exports.
inline constexpr ByteCount kFarFromEntryPoint = 16u << 10;

/// Where something else may stand than before, in any epoch.
struct CodeChange {
    ProcessIndex process;
    Address first = 0;
    Address last = 0;
};

/// Entries of one process in their order, of which the last that covers an address counts. They are indexed in runs,
/// each more than twice as long as the next: a new one takes in shorter ones.
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

/// Finds generated code: which function stood at an address in an epoch. Grows with the publications of one trace; what
/// that costs goes with what is new, not with what is known. One thread.
class CodeIndex {
  public:
    /// Takes in a publication. True if there is more than before.
    bool update(const PublishedTrace& trace);
    /// What the last update changed.
    [[nodiscard]] const std::vector<CodeChange>& changes() const { return changes_; }
    /// Numbers of modules whose functions were there before their names, by the last update.
    [[nodiscard]] const std::vector<std::uint32_t>& otherModules() const { return otherModules_; }
    [[nodiscard]] std::uint32_t moduleOf(std::uint32_t number) const { return entry(number).module; }
    [[nodiscard]] bool isEmpty() const { return known_ == 0; }

    /// The number of the function's entry. Nothing: no function is known to have stood there.
    [[nodiscard]] std::optional<std::uint32_t> find(StackRoot root, Address address);
    /// The entry of the function of an image whose entry point is the nearest before the address, in the same image.
    /// That is told only of functions that were called: beyond kFarFromEntryPoint there may be others.
    [[nodiscard]] std::optional<std::uint32_t> findEntryPoint(StackRoot root, Address address);
    /// Whether the process has a runtime whose code has names.
    [[nodiscard]] bool hasNamedCode(ProcessIndex process) const;

    // Of an entry that find() or findEntryPoint() returned.
    /// It lies in an image: what is not, and yet lies in one, is what the runtime has left there before.
    [[nodiscard]] bool isPrecompiled(std::uint32_t number) const { return entry(number).isPrecompiled; }
    [[nodiscard]] Address start(std::uint32_t number) const { return entry(number).start; }
    /// The module of its source lines; nothing: not known.
    [[nodiscard]] std::optional<ModuleIndex> ilModule(std::uint32_t entry) const;
    /// Where code came from.
    struct IlOrigin {
        std::uint32_t token = 0;  ///< of the method in its module
        std::uint32_t offset = 0; ///< in its IL, bytes
        /// False: the method was compiled several times, and which map is of which code is only likely.
        bool isCertain = true;
    };
    /// Of the code at an address; nothing: there is no map of it.
    [[nodiscard]] std::optional<IlOrigin> ilOrigin(std::uint32_t entry, Address address) const;
    [[nodiscard]] std::string moduleName(std::uint32_t entry) const; ///< "MyApp.dll"; "[dynamic]" where it has none
    [[nodiscard]] std::string function(std::uint32_t entry) const;   ///< empty: it has no name
    [[nodiscard]] std::string arguments(std::uint32_t entry) const;  ///< "(class System.String,bool)", or empty

  private:
    struct EntryPoint {
        std::uint32_t number = 0;           ///< of its entry
        const LoadedImage* image = nullptr; ///< which held it when it was told; null: none, or to be looked up
    };
    struct OfProcess {
        CodeRuns earlier; ///< that others hide; of all epochs
        CodeRuns later;
        std::vector<EntryPoint> entryPoints;  ///< by address once entryIndex is made
        std::optional<EpochIndex> entryIndex; ///< of entryPoints; none: to be made
        bool hasRuntime = false;

        [[nodiscard]] bool hasCode() const { return !earlier.numbers.empty() || !later.numbers.empty(); }
        [[nodiscard]] bool hasNamedCode() const { return hasRuntime && hasCode(); }
    };

    /// What maps of IL are about.
    struct Body {
        std::vector<Address> starts;     ///< of its code, in the order in which it was told, each once
        std::vector<std::uint32_t> code; ///< the entries of these
        std::vector<std::uint32_t> maps; ///< numbers, in that order
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
    std::shared_ptr<const ProcessTable> processTable_; ///< whose images hold the entry points
    std::optional<ImageIndex> images_;                 ///< of processTable_
    std::uint64_t known_ = 0;
    std::uint64_t knownMaps_ = 0;
    std::vector<CodeMethod> methods_; ///< all that are known, by entry
    std::vector<Body> bodies_;        ///< by number
    tsl::robin_map<std::uint32_t, OfProcess, SeededHash> processes_;
    std::vector<std::optional<std::uint32_t>> moduleTexts_; ///< by number
    std::vector<std::optional<ModuleIndex>> ilModules_;     ///< the same
    std::vector<bool> isModuleUsed_;                        ///< by number; by a function
    std::vector<CodeChange> changes_;
    std::vector<std::uint32_t> otherModules_;
};

} // namespace highwater::store
