#include "core/source/profiles/massif.h"

#include "core/base/seeded_hash.h"
#include "core/base/text.h"
#include "core/source/profiles/line_reader.h"
#include "core/source/profiles/massif_notes.h"
#include "core/source/profiles/valgrind_frame.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace highwater::source {
namespace {

constexpr std::size_t kDeepestStack = 513; ///< frames of a stack: one more than traces keep, so that it counts as cut
/// The clock of a trace saturates at 2^62 - 2, so a snapshot at 2^62 - 1 would have the time of the previous one. This
/// limit leaves room for snapshots of one time, which are one tick apart, and for the end after the last snapshot.
constexpr std::int64_t kLatest = std::int64_t{1} << 61;

std::optional<std::uint64_t> numberOf(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

/// Ticks of a time unit: writers other than valgrind use seconds with decimals.
struct MassifUnit {
    std::string_view word, inNotes; ///< inNotes is empty for units of a clock
    std::int64_t ticks = 1;
};
constexpr MassifUnit kMassifUnits[] = {{"ms", {}, 1'000'000}, {"s", {}, 1'000'000'000}, {"us", {}, 1'000},
                                       {"ns", {}, 1},         {"i", "instructions", 1}, {"B", "allocated bytes", 1}};

class MassifReader {
  public:
    explicit MassifReader(std::string_view text) : text_(text) {}

    void read() {
        findUnit();
        while (const auto line = next()) {
            if (const auto value = valueOf(*line, "cmd: ")) profile_.commandLine = *value;
            if (const auto value = valueOf(*line, "desc: ")) facts_.isXtree = value->starts_with("xtree");
            if (line->starts_with("snapshot=")) beginSnapshot();
            if (const auto value = valueOf(*line, "mem_heap_B=")) heapBytes_ = numberOf(*value).value_or(heapBytes_);
            if (const auto value = valueOf(*line, "mem_stacks_B="))
                facts_.threadStackBytes = std::max(facts_.threadStackBytes, numberOf(*value).value_or(0));
            if (const auto value = valueOf(*line, "time=")) setTime(*value);
            if (const auto value = valueOf(*line, "heap_tree=")) takeMemory(*value != "empty");
            if (isTooMuch()) return;
        }
        addRests();
        facts_.isCut |= !isSnapshotWhole_ || !text_.ends_with('\n') || isLastARule_;
        profile_.endTicks = std::max(profile_.endTicks, time_ + 1);
    }
    [[nodiscard]] bool isTooMuch() const {
        return source::isTooMuch(profile_, levels_.size() * kBytesOfLevel + frames_.size() * kBytesOfFrame +
                                               rests_.size() * sizeof(rests_[0]));
    }
    [[nodiscard]] MassifFacts facts() const {
        auto facts = facts_;
        facts.lastBytes = heapBytes_;
        facts.unit = unit_ ? std::string(unit_->inNotes) : fmt::format("\"{}\"", startOfText(unitWord_, 20));
        return facts;
    }
    [[nodiscard]] Profile take() { return std::move(profile_); }

  private:
    /// The bytes of one stack in the previous tree and in this one. All stacks together form a tree.
    struct Level {
        std::uint32_t parent = 0; ///< the stack without its outermost frame
        std::uint32_t frame = 0;  ///< the outermost frame
        std::uint32_t frames = 0;
        std::uint32_t firstFrame = kNoFrame; ///< index in stackFrames; kNoFrame: not written yet
        std::uint64_t tree = 0;              ///< the latest tree that contains it
        ByteCount bytes = 0, wanted = 0;
        std::vector<std::uint32_t> open{}; ///< indices of samples, the newest last
    };
    struct Node {
        std::uint32_t level = 0;
        std::uint64_t missing = 0; ///< announced children that are still missing
        ByteCount bytes = 0;       ///< without those of its children
    };

    std::optional<std::string_view> next() {
        if (at_ >= text_.size()) return std::nullopt;
        const auto end = std::min(text_.find('\n', at_), text_.size());
        const auto line = withoutReturn(text_.substr(at_, end - at_));
        before_ = at_;
        at_ = end + 1;
        isLastARule_ = line.starts_with("#-");
        return line;
    }
    static std::optional<std::string_view> valueOf(std::string_view line, std::string_view key) {
        return line.starts_with(key) ? std::optional(line.substr(key.size())) : std::nullopt;
    }

    void beginSnapshot() {
        ++facts_.snapshots;
        isSnapshotWhole_ = false;
        lacksNodes_ |= hasMissingNodes_; // the following lines show that the writer left them out
        hasMissingNodes_ = false;
    }
    /// Takes the total of a snapshot, and its tree if it has one.
    void takeMemory(bool hasTree) {
        isSnapshotWhole_ = true;
        if (facts_.isXtree && !isOfBytesInUse()) return;
        if (heapBytes_ <= kMostProfileBytes) facts_.largestBytes = std::max(facts_.largestBytes, heapBytes_);
        if (hasTree)
            readTree();
        else
            rests_.push_back({time_, heapBytes_});
    }
    /// For parts of an xtree, which replace snapshots: "n4: 409000 curB : currently allocated Bytes".
    [[nodiscard]] bool isOfBytesInUse() const {
        const auto line = text_.substr(std::min(at_, text_.size()));
        return line.substr(0, line.find('\n')).find(" curB :") != std::string_view::npos;
    }
    /// The unit may be in the last line, where heaptrack_print writes its header.
    void findUnit() {
        constexpr std::string_view kKey = "time_unit:";
        for (auto at = text_.find(kKey); at != std::string_view::npos; at = text_.find(kKey, at + 1)) {
            if (at > 0 && text_[at - 1] != '\n') continue;
            const auto begin = at + kKey.size();
            unitWord_ = trimmed(text_.substr(begin, text_.find('\n', begin) - begin));
            break;
        }
        const auto* found = std::ranges::find(kMassifUnits, unitWord_, &MassifUnit::word);
        unit_ = found != std::end(kMassifUnits) ? std::optional(*found) : std::nullopt;
    }
    void setTime(std::string_view text) {
        if (facts_.isXtree) return; // the time when it was written
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const auto ticks = value * static_cast<double>(unit_ ? unit_->ticks : 1);
        const bool isNumber = error == std::errc() && end != text.data();
        // A double cannot represent all of them.
        const auto whole = unit_ && unit_->ticks == 1 ? numberOf(text) : std::nullopt;
        const bool fits = whole ? *whole < std::uint64_t{kLatest} : ticks >= 0 && ticks < double{kLatest};
        if (!isNumber || !fits) return void(++facts_.damaged);
        time_ = std::max(time_,
                         static_cast<std::int64_t>(whole ? *whole : static_cast<std::uint64_t>(std::llround(ticks))));
    }

    /// With a coarse clock, snapshots with equal times follow each other by a tick.
    void follow(std::int64_t time) {
        time_ = std::max(time, shownTime_ + 1);
        shownTime_ = time_;
    }
    /// Snapshots after the last tree: the bytes that exceed it have no stack. If they have fewer bytes, it is not known
    /// which stacks shrank. For snapshots before it, the next tree has the stacks.
    void addRests() {
        auto& level = levels_[0];
        const auto known = level.bytes, shown = shownBytes_;
        for (const auto& [time, bytes] : rests_) {
            if (bytes > kMostProfileBytes) {
                ++facts_.damaged;
                continue;
            }
            follow(time);
            level.wanted = known + (bytes > shown ? bytes - shown : 0);
            if (level.wanted < level.bytes) shrink(level);
            if (level.wanted > level.bytes) grow(level);
            facts_.hasRest |= level.wanted > known;
            level.bytes = level.wanted;
            facts_.largestShown = std::max(facts_.largestShown, shown + level.bytes - known);
        }
    }

    /// A line for each node: "n2: 100128 0x109164: leakOne(int) (known.cpp:4)", indented by its depth and followed by
    /// its children. "n0: 128 in 2 places, ..." sums up nodes below the threshold.
    void readTree() {
        ++facts_.trees;
        follow(time_);
        rests_.clear();
        facts_.lastBytesWithStacks = heapBytes_;
        treeBytes_ = 0;
        nodes_.clear();
        touched_.clear();
        bool isFirst = true;
        while (const auto line = next()) {
            const auto depth = line->find_first_not_of(' ');
            if (depth == std::string_view::npos || (*line)[depth] != 'n') {
                at_ = before_;
                break;
            }
            isFirst = false;
            if (depth <= kDeepestStack && !takeNode(*line, depth)) ++facts_.damaged;
            if (isTooMuch()) return;
        }
        leaveTo(0);
        isLastARule_ = false;
        facts_.isCut |= (isFirst || (hasMissingNodes_ && !lacksNodes_)) && at_ >= text_.size();
        addRest();
        settle();
    }

    bool takeNode(std::string_view line, std::size_t depth) {
        const auto colon = line.find(": ", depth);
        if (colon == std::string_view::npos || depth > nodes_.size()) return false;
        const auto rest = line.substr(colon + 2);
        const auto bytes = numberOf(rest);
        const auto blank = rest.find(' ');
        if (!bytes || *bytes > kMostProfileBytes || blank == std::string_view::npos) return false;
        leaveTo(depth);
        if (depth > 0) {
            auto& parent = nodes_.back().bytes;
            if (*bytes > parent) return false;
            parent -= *bytes;
            auto& missing = nodes_.back().missing;
            missing -= std::min<std::uint64_t>(missing, 1);
        } else {
            treeBytes_ += *bytes;
        }
        const auto inner = depth > 0 ? nodes_.back().level : 0;
        const auto text = rest.substr(blank + 1);
        const bool isTitle = depth == 0 && facts_.isXtree; // "curB : currently allocated Bytes"
        const auto level = !isTitle && isFrame(text) ? levelOf(inner, frameOf(text)) : inner;
        nodes_.push_back({level, numberOf(line.substr(depth + 1)).value_or(0), *bytes});
        return true;
    }
    /// False for a node that represents several: "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.", "in
    /// 2 places, all below massif's threshold (1.00%)". Other writers use names without addresses.
    static bool isFrame(std::string_view text) {
        constexpr std::string_view kIn = "in ";
        const bool isPlaces =
            text.starts_with(kIn) && numberOf(text.substr(kIn.size())) && text.find(" place") != std::string_view::npos;
        return !text.empty() && !text.starts_with('(') && !isPlaces;
    }

    std::uint32_t levelOf(std::uint32_t inner, std::uint32_t frame) {
        const auto next = static_cast<std::uint32_t>(levels_.size());
        const auto [entry, isNew] = levelsByFrame_.try_emplace(std::uint64_t{inner} << 32 | frame, next);
        if (isNew) levels_.push_back({.parent = inner, .frame = frame, .frames = levels_[inner].frames + 1});
        return entry->second;
    }

    /// The bytes of a node beyond those of its children were allocated by its own stack.
    void leaveTo(std::size_t depth) {
        while (nodes_.size() > depth) {
            const auto& node = nodes_.back();
            if (node.bytes > 0) want(node.level, node.bytes);
            hasMissingNodes_ |= node.missing > 0;
            nodes_.pop_back();
        }
    }
    void want(std::uint32_t number, ByteCount bytes) {
        auto& level = levels_[number];
        if (std::exchange(level.tree, facts_.trees) != facts_.trees) {
            level.wanted = 0;
            touched_.push_back(number);
        }
        level.wanted += bytes;
    }
    /// Writers other than valgrind leave bytes without a known stack out of the tree.
    void addRest() {
        facts_.treesWithMore += treeBytes_ > heapBytes_ ? 1 : 0;
        const bool hasRest = treeBytes_ < heapBytes_ && heapBytes_ <= kMostProfileBytes;
        shownBytes_ = hasRest ? heapBytes_ : treeBytes_;
        facts_.largestShown = std::max(facts_.largestShown, shownBytes_);
        if (!hasRest) return;
        ++facts_.treesWithLess;
        want(0, heapBytes_ - treeBytes_);
    }

    std::uint32_t frameOf(std::string_view text) {
        const auto [entry, isNew] = frames_.try_emplace(text, static_cast<std::uint32_t>(profile_.frames.size()));
        if (isNew) addValgrindFrame(profile_, text);
        return entry->second;
    }

    /// Applies the changes from the previous tree to this one. Stacks in neither of them are not visited.
    void settle() {
        for (const auto number : present_) {
            auto& level = levels_[number];
            if (level.tree != facts_.trees) level.wanted = 0;
            if (level.wanted < level.bytes) shrink(level);
        }
        for (const auto number : touched_)
            if (levels_[number].wanted > levels_[number].bytes) grow(levels_[number]);
        for (const auto* numbers : {&present_, &touched_})
            for (const auto number : *numbers)
                levels_[number].bytes = levels_[number].wanted;
        std::swap(present_, touched_);
    }
    void grow(Level& level) {
        if (level.firstFrame == kNoFrame) writeFrames(level);
        level.open.push_back(static_cast<std::uint32_t>(profile_.samples.size()));
        profile_.samples.push_back({.firstFrame = level.firstFrame,
                                    .frames = level.frames,
                                    .objects = 1,
                                    .bytes = level.wanted - level.bytes,
                                    .begin = time_});
    }
    void writeFrames(Level& level) {
        auto& frames = profile_.stackFrames;
        level.firstFrame = static_cast<std::uint32_t>(frames.size());
        frames.resize(frames.size() + level.frames);
        for (const auto* at = &level; at->frames > 0; at = &levels_[at->parent])
            frames[level.firstFrame + at->frames - 1] = at->frame;
    }
    /// The newest samples are removed first; the last one may be split.
    void shrink(Level& level) {
        auto left = level.bytes - level.wanted;
        while (left > 0 && !level.open.empty()) {
            auto& sample = profile_.samples[level.open.back()];
            if (sample.bytes <= left) {
                left -= sample.bytes;
                sample.end = time_;
                level.open.pop_back();
                continue;
            }
            sample.bytes -= left;
            auto part = sample;
            part.bytes = left;
            part.end = time_;
            left = 0;
            profile_.samples.push_back(part);
        }
    }

    static constexpr std::uint32_t kNoFrame = 0xFFFFFFFFu;
    static constexpr std::size_t kBytesOfLevel = sizeof(Level) + 64, kBytesOfFrame = 64; ///< including the lookup

    std::string_view text_;
    std::size_t at_ = 0, before_ = 0;
    std::string_view unitWord_;
    std::optional<MassifUnit> unit_; ///< nothing: an unknown unit
    std::int64_t time_ = 0, shownTime_ = -1;
    std::uint64_t heapBytes_ = 0, treeBytes_ = 0, shownBytes_ = 0;
    bool isSnapshotWhole_ = true, hasMissingNodes_ = false, lacksNodes_ = false, isLastARule_ = false;
    MassifFacts facts_;
    std::vector<std::pair<std::int64_t, std::uint64_t>> rests_; ///< times and bytes of snapshots after the last tree
    std::vector<Node> nodes_;                                   ///< nodes from the outermost one to the current line
    std::vector<Level> levels_{Level{}};                        ///< the first one is the empty stack
    std::vector<std::uint32_t> touched_;                        ///< levels of this tree
    std::vector<std::uint32_t> present_;                        ///< levels of the previous tree
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> levelsByFrame_;
    tsl::robin_map<std::string_view, std::uint32_t, SeededHash> frames_;
    Profile profile_;
};

Error nothingToShow(const MassifFacts& facts, std::string_view name) {
    const auto kind = facts.isCut ? ErrorKind::Damaged : ErrorKind::Unsupported;
    if (facts.isXtree) {
        return {kind, fmt::format("{} contains sums of valgrind's execution trees (xtree) but not of bytes in use "
                                  "(curB), so there is nothing to show. valgrind --xtree-memory=full writes them.",
                                  name)};
    }
    return {kind, fmt::format("{} has no snapshot with a stack tree, so there is nothing to show.", name)};
}

} // namespace

/// Writers other than valgrind write the header lines in another order, or after all snapshots. The command line may be
/// longer than the examined part.
bool isMassif(std::string_view start) {
    constexpr std::string_view kHeader[] = {"desc:", "cmd:", "time_unit:", "#-----", "snapshot="};
    const auto begins = [&](std::string_view key) { return start.starts_with(key); };
    if (std::ranges::none_of(kHeader, begins)) return false;
    const bool isOneLine = start.starts_with("desc:") && start.find('\n') == std::string_view::npos;
    return isOneLine || start.find("\ntime_unit:") != std::string_view::npos || start.starts_with("snapshot=") ||
           start.find("\nsnapshot=") < start.find("\n#", 1);
}

Result<Profile> readMassif(ByteSpan bytes, std::string_view name) {
    MassifReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    reader.read();
    if (reader.isTooMuch()) return tooManyStacks(name);
    const auto facts = reader.facts();
    if (facts.trees == 0 && facts.largestShown == 0) return nothingToShow(facts, name);
    auto profile = reader.take();
    profile.tool = "massif";
    profile.hasTimes = !facts.isXtree;
    profile.hasCounts = false;
    addMassifNotes(facts, profile);
    if (facts.isCut) profile.remarks.push_back(fmt::format("{} is cut off; the rest is missing.", name));
    if (facts.damaged > 0) {
        profile.remarks.push_back(skippedText(facts.damaged, "damaged part", name));
    }
    return profile;
}

} // namespace highwater::source
