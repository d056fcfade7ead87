#pragma once

#include "core/store/published/published_trace.h"
#include "core/symbols/answers/symbol_table.h"

#include <cstdint>
#include <memory>

namespace highwater::analysis {

/// Frame names in the trace file itself (store::NamedAddress), provided like names from debug files. Grows with the
/// publications of one trace; the cost is proportional to the new names and their modules. One thread at a time.
class TraceFrameNames {
  public:
    /// Combines the names of the trace with `others` for modules that it does not name. Null: no names in either.
    [[nodiscard]] std::shared_ptr<const symbols::NameView> joinedWith(const store::PublishedTrace& trace,
                                                                      std::shared_ptr<const symbols::NameView> others);

  private:
    void take(const store::PublishedTrace& trace);

    symbols::SymbolTable table_;
    std::uint64_t known_ = 0;
    std::shared_ptr<const symbols::NameView> told_, joined_;
    std::shared_ptr<const symbols::NameView> joinedOwn_, joinedOthers_; ///< inputs of joined_
};

} // namespace highwater::analysis
