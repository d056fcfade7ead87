#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>

namespace highwater::analysis {

/// A function of the program that requests memory on behalf of its callers, such as xmalloc.
struct Wrapper {
    std::size_t callers = 0; ///< distinct callers
    /// It allocates through another dedicated function, such as an inlined one.
    bool isDeep = false;
};

/// The wrappers of a trace, found by wrapper_search.h. Any thread may read it once it is complete.
class Wrappers {
  public:
    void add(LabelId function, Wrapper wrapper) { functions_.insert({function.value, wrapper}); }

    /// Null: not a wrapper.
    [[nodiscard]] const Wrapper* of(LabelId function) const {
        const auto found = functions_.find(function.value);
        return found == functions_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::size_t count() const { return functions_.size(); }

  private:
    tsl::robin_map<std::uint32_t, Wrapper, SeededHash> functions_; ///< by label
};

} // namespace highwater::analysis
