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

/// Frames that have no name, and whose offsets mean different code in the traces that are compared.
struct MergedFrames {
    std::size_t frames = 0;        ///< of all traces together: module!+0x1234, each once in its trace
    std::set<std::string> modules; ///< that they are in
    std::size_t outside = 0;       ///< frames outside any module, whose addresses mean nothing elsewhere
};

/// Knows places of several traces by one number, which are equal where their texts say the same: never by address, pid
/// or path (docs/numbers.md 15). One thread.
class PlaceTexts {
  public:
    /// `query` must outlive it. Traces are numbered: those before, then those after.
    explicit PlaceTexts(const DifferenceQuery& query);

    /// The modules of these processes of a trace take part. All of them, before the first frame is asked for.
    void addModulesOf(std::size_t trace, const std::set<std::uint32_t>& processes);

    /// A frame of a stack column.
    [[nodiscard]] std::uint32_t frame(std::size_t trace, LabelId label);
    [[nodiscard]] std::uint32_t process(std::size_t trace, std::string_view name);
    [[nodiscard]] std::uint32_t other(std::string_view text);

    /// As it was met first; of a function that is inlined here and not there, without the mark.
    [[nodiscard]] std::string text(std::uint32_t place) const;
    [[nodiscard]] const MergedFrames& merged() const { return merged_; }
    /// By line of the renames: whether a frame or a process before was called so.
    [[nodiscard]] const std::vector<bool>& usedRenames() const { return usedRenames_; }

  private:
    struct Place {
        std::string text;
        bool isInlined = false; ///< everywhere
    };
    [[nodiscard]] const ComparedTrace& traceOf(std::size_t trace) const;
    [[nodiscard]] bool isRenamed(std::size_t trace) const;
    void noteUse(std::optional<std::size_t> line);
    [[nodiscard]] std::uint32_t find(std::size_t trace, std::string label);
    /// Without offsets and addresses that say nothing.
    [[nodiscard]] std::string comparable(std::string label);
    [[nodiscard]] bool isSameEverywhere(const std::string& module);
    std::uint32_t intern(std::string key, std::string text, bool isInlined);

    const DifferenceQuery& query_;
    bool isOneTrace_; ///< then offsets and addresses say what they say
    std::vector<Place> places_;
    tsl::robin_map<std::string, std::uint32_t, SeededHash> ids_;                     ///< by placeKey()
    std::vector<std::vector<std::uint32_t>> ofLabels_;                               ///< by trace and label
    std::map<std::string, std::map<std::size_t, std::set<std::string>>> identities_; ///< by module and trace
    std::map<std::string, bool> isSame_; ///< by module, as far as it was asked for
    MergedFrames merged_;
    std::vector<bool> usedRenames_;
};

} // namespace highwater::analysis
