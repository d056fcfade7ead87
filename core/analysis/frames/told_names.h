#pragma once

#include "core/store/published/published_trace.h"
#include "core/symbols/answers/symbol_table.h"

#include <cstdint>
#include <memory>

namespace highwater::analysis {

/// Names of frames that came with the file (store::NamedAddress), as those that debug files give. Grows with the
/// publications of one trace; what that costs goes with what is new and with the modules that it is about. One thread
/// at a time.
class ToldNames {
  public:
    /// The names of the trace, and `others` of modules that it does not name. Null: there are none of either.
    [[nodiscard]] std::shared_ptr<const symbols::NameView> joinedWith(const store::PublishedTrace& trace,
                                                                      std::shared_ptr<const symbols::NameView> others);

  private:
    void take(const store::PublishedTrace& trace);

    symbols::SymbolTable table_;
    std::uint64_t known_ = 0;
    std::shared_ptr<const symbols::NameView> told_, joined_;
    std::shared_ptr<const symbols::NameView> joinedTold_, joinedOthers_; ///< what joined_ is made of
};

} // namespace highwater::analysis
