#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <map>
#include <vector>

namespace highwater::source {

/// Tracks reserved and committed pages of a Linux process, in the Windows sense: private writable memory is committed,
/// other mappings are reserved. Converts system requests of the program to the changes that VirtualAlloc events
/// describe. A value; one thread.
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

    /// Sets the state of the range. Returns the changes in address order; unchanged parts are left out.
    std::vector<Change> set(Address address, ByteCount size, State to);
    /// Like set(), but free pages stay free, because mappings made before the recording are not tracked.
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

    std::map<Address, Region> regions_; ///< by start address; never Free, not overlapping
};

} // namespace highwater::source
