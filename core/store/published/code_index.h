#pragma once

#include "core/base/seeded_hash.h"
#include "core/store/published/epoch_index.h"
#include "core/store/published/published_trace.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace highwater::store {

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
    [[nodiscard]] const std::vector<std::uint32_t>& renamedModules() const { return renamedModules_; }
    [[nodiscard]] std::uint32_t moduleOf(std::uint32_t number) const { return entry(number).module; }
    [[nodiscard]] bool isEmpty() const { return known_ == 0; }

    /// The number of the function's entry. Nothing: no function is known to have stood there.
    [[nodiscard]] std::optional<std::uint32_t> find(StackRoot root, Address address);
    /// Whether the process has a runtime whose code has names.
    [[nodiscard]] bool hasNamedCode(ProcessIndex process) const;

    // Of an entry that find() returned.
    [[nodiscard]] std::string moduleName(std::uint32_t entry) const; ///< "MyApp.dll"; "[dynamic]" where it has none
    [[nodiscard]] std::string function(std::uint32_t entry) const;   ///< empty: it has no name
    [[nodiscard]] std::string arguments(std::uint32_t entry) const;  ///< "(class System.String,bool)", or empty

  private:
    struct OfProcess {
        CodeRuns earlier; ///< that others hide; of all epochs
        CodeRuns later;
        bool hasRuntime = false;

        [[nodiscard]] bool hasCode() const { return !earlier.numbers.empty() || !later.numbers.empty(); }
        [[nodiscard]] bool hasNamedCode() const { return hasRuntime && hasCode(); }
    };

    void take(std::uint32_t number);
    void takeModuleName(const CodeEntry& taken);
    void indexNew(CodeRuns& entries, bool ofAllEpochs) const;
    [[nodiscard]] EpochIndex makeIndex(const CodeRuns& entries, std::size_t begin, std::uint32_t firstEpoch,
                                       bool ofAllEpochs) const;
    [[nodiscard]] static std::optional<std::uint32_t> findIn(const CodeRuns& entries, std::uint32_t epoch,
                                                             Address address);
    [[nodiscard]] const CodeEntry& entry(std::uint32_t number) const { return columns_->names->code.entries[number]; }

    std::shared_ptr<const TraceColumns> columns_;
    std::uint64_t known_ = 0;
    tsl::robin_map<std::uint32_t, OfProcess, SeededHash> processes_;
    std::vector<std::optional<std::uint32_t>> moduleTexts_; ///< by number
    std::vector<bool> isModuleUsed_;                        ///< by number; by a function
    std::vector<CodeChange> changes_;
    std::vector<std::uint32_t> renamedModules_;
};

} // namespace highwater::store
