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

/// Finds generated code: which function stood at an address in an epoch. Grows with the publications of one trace.
/// One thread.
class CodeIndex {
  public:
    /// Takes in a publication. True if there is more than before.
    bool update(const PublishedTrace& trace);
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
        std::vector<std::uint32_t> earlier; ///< entries that others hide
        std::vector<std::uint32_t> later;
        std::optional<EpochIndex> index; ///< of `earlier` and then `later`; none: to be made
        bool hasRuntime = false;
    };

    void take(std::uint32_t number);
    void makeIndex(OfProcess& process) const;
    [[nodiscard]] const CodeEntry& entry(std::uint32_t number) const { return columns_->names->code.entries[number]; }

    std::shared_ptr<const TraceColumns> columns_;
    std::uint64_t known_ = 0;
    tsl::robin_map<std::uint32_t, OfProcess, SeededHash> processes_;
    std::vector<std::optional<std::uint32_t>> moduleTexts_; ///< by number
};

} // namespace highwater::store
