#pragma once

#include "core/analysis/difference/difference_query.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Unnamed frames whose offsets refer to different code in the compared traces.
struct MergedFrames {
    std::size_t frames = 0;        ///< in all traces together: module!+0x1234, counted once per trace
    std::set<std::string> modules; ///< the modules of these frames
    std::size_t outside = 0;       ///< frames outside any module, whose addresses are only valid in their trace
};

/// Assigns numbers to places of several traces. Places with the same text have the same number; addresses, pids and
/// paths do not count (docs/numbers.md 15). One thread.
class PlaceTexts {
  public:
    /// `query` must outlive it. Trace numbers: those before, then those after.
    explicit PlaceTexts(const DifferenceQuery& query);

    /// Adds the modules of these processes of a trace. Call this for all traces before the first call of frame().
    void addModulesOf(std::size_t trace, const std::set<std::uint32_t>& processes);

    /// A frame of a stack column.
    [[nodiscard]] std::uint32_t frame(std::size_t trace, LabelId label);
    [[nodiscard]] std::uint32_t process(std::size_t trace, std::string_view name);
    [[nodiscard]] std::uint32_t other(std::string_view text);

    /// The text at first use; without the mark for a function that is inlined only in some places.
    [[nodiscard]] std::string text(std::uint32_t place) const;
    [[nodiscard]] const MergedFrames& merged() const { return merged_; }
    /// By line of the renames: whether it matches a frame or a process of the side before.
    [[nodiscard]] const std::vector<bool>& usedRenames() const { return usedRenames_; }

  private:
    struct Place {
        std::string text;
        bool isInlined = false; ///< in all places
    };
    [[nodiscard]] const ComparedTrace& traceOf(std::size_t trace) const;
    [[nodiscard]] bool isRenamed(std::size_t trace) const;
    void noteUse(std::optional<std::size_t> line);
    [[nodiscard]] std::uint32_t find(std::size_t trace, std::string label);
    /// Removes offsets and addresses that are not comparable.
    [[nodiscard]] std::string comparable(std::string label);
    [[nodiscard]] bool isSameEverywhere(const std::string& module);
    std::uint32_t intern(std::string key, std::string text, bool isInlined);

    const DifferenceQuery& query_;
    bool isOneTrace_; ///< offsets and addresses are comparable
    std::vector<Place> places_;
    tsl::robin_map<std::string, std::uint32_t, SeededHash> ids_;                     ///< by placeKey()
    std::vector<std::vector<std::uint32_t>> ofLabels_;                               ///< by trace and label
    std::map<std::string, std::map<std::size_t, std::set<std::string>>> identities_; ///< by module and trace
    std::map<std::string, bool> isSame_;                                             ///< by module, if requested
    MergedFrames merged_;
    std::vector<bool> usedRenames_;
};

} // namespace highwater::analysis
