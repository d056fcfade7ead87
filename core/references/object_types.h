#pragma once

#include "core/base/units.h"
#include "core/references/process_memory.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace highwater::references {

/// Finds the class of an object by its first word. Only an address point of a known table of virtual functions has a
/// class. Memory: 24 bytes per table, and its name. find() may be called by several threads at once.
class ObjectTypes {
  public:
    /// `read`: for address points that are stored in the memory of the process. Of tables with the same address point,
    /// the one with the shortest name counts, then the first in the alphabet. O(n log n).
    ObjectTypes(std::vector<VirtualTable> tables, const ReadMemory& read);

    /// Number of the class + 1; 0: unknown. The numbers of several tables may have the same name. Fast for words that
    /// are not in the data of a module.
    [[nodiscard]] std::uint32_t find(Address word) const;
    /// By number.
    [[nodiscard]] const std::string& name(std::uint32_t number) const { return tables_[number].type; }
    [[nodiscard]] std::size_t size() const { return tables_.size(); }

  private:
    struct Place {
        Address last = 0;        ///< address point, included
        std::uint32_t first = 0; ///< index in points_, up to that of the next place
    };

    void addPlaces();
    std::vector<VirtualTable> tables_; ///< by address point
    std::vector<Address> points_;      ///< of each
    std::vector<Place> places_;        ///< address points that are near each other; one more at the end
};

} // namespace highwater::references
