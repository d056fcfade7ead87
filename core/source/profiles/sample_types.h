#pragma once

#include "core/source/profiles/stack_sums.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::source {

/// The types of the values in the samples of a pprof profile, and their meaning as amounts of memory. Each tool uses
/// its own names, which docs/numbers.md lists. A value.
class SampleTypes {
  public:
    /// Adds a type, in the order of the values. The texts must outlive this object.
    void add(std::string_view type, std::string_view unit);
    /// For files in which the type names of memory in use mean allocations (tcmalloc's allocation profiles), or vice
    /// versa (Perfetto's heap dumps).
    void swapUsedAndAllocated();

    [[nodiscard]] std::size_t size() const { return types_.size(); }
    [[nodiscard]] bool haveBytes() const { return known().used || known().allocated; }
    [[nodiscard]] KnownAmounts known() const;
    /// The amounts of one sample, with one value for each type. Nothing: an amount is out of range.
    [[nodiscard]] std::optional<StackAmounts> amountsOf(std::span<const std::int64_t> values) const;
    /// Describes a profile without bytes: "a pprof CPU profile, not a heap profile".
    [[nodiscard]] std::string_view otherKind() const;
    /// "alloc_space, alloc_objects"; of long lists only the first types.
    [[nodiscard]] std::string list() const;
    /// The types that are not amounts of memory. Empty: all are.
    [[nodiscard]] std::string listOfOthers() const;

  private:
    enum Amount : std::uint8_t { kUsedObjects, kUsedBytes, kAllocatedObjects, kAllocatedBytes, kAnyObjects, kAmounts };
    struct Place {
        std::size_t value = 0;   ///< its index in a sample
        std::int64_t factor = 1; ///< in bytes or objects
    };

    static std::optional<Amount> amountOf(std::string_view type);
    [[nodiscard]] const std::vector<Place>& places(Amount amount) const;

    std::vector<std::string_view> types_;
    std::array<std::vector<Place>, kAmounts> places_; ///< by amount
};

} // namespace highwater::source
