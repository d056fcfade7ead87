#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <map>
#include <vector>

namespace highwater::source {

/// Which pages of a Linux process are reserved and which committed, as Windows uses the words: memory of the process's
/// own that may be written is committed, other mappings are reserved. Turns what the program asks its system for into
/// the changes that VirtualAlloc events speak of. A value; one thread.
class AgentPages {
  public:
    enum class State : std::uint8_t { Free, Reserved, Committed };
    struct Change {
        Address address = 0;
        ByteCount size = 0;
        State from = State::Free;
        State to = State::Free;
        friend bool operator==(const Change&, const Change&) = default;
    };

    /// What changes when the range becomes that, from the lowest address on; what was so already is left out.
    std::vector<Change> set(Address address, ByteCount size, State to);
    /// The same, but pages that are free stay so: mappings that were made unseen are none of ours.
    std::vector<Change> setKnown(Address address, ByteCount size, State to);
    [[nodiscard]] State at(Address address) const;

  private:
    struct Region {
        Address end = 0;
        State state = State::Free;
    };
    void split(Address at);
    void join(Address from, Address to);
    std::vector<Change> change(Address address, ByteCount size, State to, bool fillsGaps);

    std::map<Address, Region> regions_; ///< by first address; not Free, not overlapping
};

} // namespace highwater::source
