#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>

namespace highwater::analysis {

/// A function of the program that asks for memory for whoever calls it, as xmalloc does.
struct Wrapper {
    std::size_t callers = 0; ///< different functions that call it
    /// It allocates by another function that it has for that, such as an inlined one.
    bool isDeep = false;
};

/// The wrappers of a trace, which wrapper_search.h finds. Any thread may read it once they are all in it.
class Wrappers {
  public:
    void add(LabelId function, Wrapper wrapper) { functions_.insert({function.value, wrapper}); }

    /// Null: it is none.
    [[nodiscard]] const Wrapper* of(LabelId function) const {
        const auto found = functions_.find(function.value);
        return found == functions_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::size_t count() const { return functions_.size(); }

  private:
    tsl::robin_map<std::uint32_t, Wrapper, SeededHash> functions_; ///< by label
};

} // namespace highwater::analysis
