#include "core/source/profiles/massif.h"

#include "core/base/seeded_hash.h"
#include "core/base/text.h"
#include "core/source/profiles/line_reader.h"
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

constexpr std::size_t kDeepestStack = 513; ///< frames of a stack: one more than is kept, so that it counts as cut
constexpr std::int64_t kLatest = std::int64_t{1} << 61;

std::optional<std::uint64_t> numberOf(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

/// Ticks of a unit of time: other writers than valgrind have seconds, with decimals.
struct MassifUnit {
    std::string_view word, inNotes; ///< inNotes is empty: it is of a clock
    std::int64_t ticks = 1;
};
constexpr MassifUnit kMassifUnits[] = {{"ms", {}, 1'000'000},    {"s", {}, 1'000'000'000},
                                       {"us", {}, 1'000},        {"ns", {}, 1},
                                       {"i", "instructions", 1}, {"B", "bytes that were allocated", 1}};

class MassifReader {
  public:
    explicit MassifReader(std::string_view text) : text_(text) {}

    void read() {
        findUnit();
        while (const auto line = next()) {
            if (const auto value = valueOf(*line, "cmd: ")) profile_.commandLine = *value;
            if (line->starts_with("snapshot=")) beginSnapshot();
            if (const auto value = valueOf(*line, "mem_heap_B=")) heapBytes_ = numberOf(*value).value_or(heapBytes_);
            if (const auto value = valueOf(*line, "time=")) setTime(*value);
            if (const auto value = valueOf(*line, "heap_tree=")) {
                isSnapshotWhole_ = true;
                if (*value != "empty") readTree();
            }
            if (isTooMuch()) return;
        }
        isCut_ |= !isSnapshotWhole_ || !text_.ends_with('\n') || isLastARule_;
        profile_.endTicks = time_ + 1;
    }
    [[nodiscard]] bool isTooMuch() const {
        return source::isTooMuch(profile_, levels_.size() * kBytesOfLevel + frames_.size() * kBytesOfFrame);
    }
    [[nodiscard]] std::uint64_t trees() const { return trees_; }
    [[nodiscard]] std::uint64_t snapshots() const { return snapshots_; }
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
    /// The end is missing.
    [[nodiscard]] bool isCut() const { return isCut_; }
    /// Bytes of heaps in the last snapshot, and in the last one that has stacks.
    [[nodiscard]] std::uint64_t lastBytes() const { return heapBytes_; }
    [[nodiscard]] std::uint64_t lastBytesWithStacks() const { return heapBytesOfTree_; }
    /// Trees whose stacks have another sum than their snapshot, by what is more.
    [[nodiscard]] std::uint64_t treesWithLess() const { return treesWithLess_; }
    [[nodiscard]] std::uint64_t treesWithMore() const { return treesWithMore_; }
    /// Empty: times are of a clock.
    [[nodiscard]] std::string unitInNotes() const {
        return unit_ ? std::string(unit_->inNotes) : fmt::format("\"{}\"", startOfText(unitWord_, 20));
    }
    [[nodiscard]] Profile take() { return std::move(profile_); }

  private:
    /// What one stack had at the last tree, and has at this one. All stacks together are a tree themselves.
    struct Level {
        std::uint32_t parent = 0; ///< the stack without its outermost frame
        std::uint32_t frame = 0;  ///< the outermost one
        std::uint32_t frames = 0;
        std::uint32_t firstFrame = kNoFrame; ///< of stackFrames; kNoFrame: not written yet
        std::uint64_t tree = 0;              ///< the last one that had it
        ByteCount bytes = 0, wanted = 0;
        std::vector<std::uint32_t> open{}; ///< of samples, the newest last
    };
    struct Node {
        std::uint32_t level = 0;
        std::uint64_t missing = 0; ///< children that it says to have
        ByteCount bytes = 0;       ///< less those of its children
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
        ++snapshots_;
        isSnapshotWhole_ = false;
        lacksNodes_ |= hasMissingNodes_; // what follows shows that its writer left them out
        hasMissingNodes_ = false;
    }
    /// It may be in the last line: heaptrack_print has its header there.
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
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const auto ticks = value * static_cast<double>(unit_ ? unit_->ticks : 1);
        const bool isNumber = error == std::errc() && end != text.data();
        const auto whole = unit_ && unit_->ticks == 1 ? numberOf(text) : std::nullopt; // no double has all of them
        const bool fits = whole ? *whole < std::uint64_t{kLatest} : ticks >= 0 && ticks < double{kLatest};
        if (!isNumber || !fits) return void(++damaged_);
        time_ = std::max(time_,
                         static_cast<std::int64_t>(whole ? *whole : static_cast<std::uint64_t>(std::llround(ticks))));
    }

    /// A line for each node: "n2: 100128 0x109164: leakOne(int) (known.cpp:4)", indented by its depth, its children
    /// below it. "n0: 128 in 2 places, ..." is what had no room.
    void readTree() {
        if (trees_++ > 0) time_ = std::max(time_, treeTime_ + 1); // a coarse clock: one tree follows the other
        treeTime_ = time_;
        heapBytesOfTree_ = heapBytes_;
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
            if (depth <= kDeepestStack && !takeNode(*line, depth)) ++damaged_;
            if (isTooMuch()) return;
        }
        leaveTo(0);
        isLastARule_ = false;
        isCut_ |= (isFirst || (hasMissingNodes_ && !lacksNodes_)) && at_ >= text_.size();
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
        const auto level = isFrame(text) ? levelOf(inner, frameOf(text)) : inner;
        nodes_.push_back({level, numberOf(line.substr(depth + 1)).value_or(0), *bytes});
        return true;
    }
    /// Else it stands for several: "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.", "in 2 places,
    /// all below massif's threshold (1.00%)". Other writers have names without addresses.
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

    /// What a node has beyond its children was allocated by its own stack.
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
        if (std::exchange(level.tree, trees_) != trees_) {
            level.wanted = 0;
            touched_.push_back(number);
        }
        level.wanted += bytes;
    }
    /// Other writers than valgrind leave out of the tree what they know no stack of.
    void addRest() {
        treesWithMore_ += treeBytes_ > heapBytes_ ? 1 : 0;
        if (treeBytes_ >= heapBytes_ || heapBytes_ > kMostProfileBytes) return;
        ++treesWithLess_;
        want(0, heapBytes_ - treeBytes_);
    }

    std::uint32_t frameOf(std::string_view text) {
        const auto [entry, isNew] = frames_.try_emplace(text, static_cast<std::uint32_t>(profile_.frames.size()));
        if (isNew) addValgrindFrame(profile_, text);
        return entry->second;
    }

    /// From the tree before to this one: what neither of them has is not looked at.
    void settle() {
        for (const auto number : present_) {
            auto& level = levels_[number];
            if (level.tree != trees_) level.wanted = 0;
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
    /// The newest go first; of the last one a part stays.
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
    static constexpr std::size_t kBytesOfLevel = sizeof(Level) + 64, kBytesOfFrame = 64; ///< with what finds them

    std::string_view text_;
    std::size_t at_ = 0, before_ = 0;
    std::string_view unitWord_;
    std::optional<MassifUnit> unit_; ///< nothing: a word that no one knows
    std::int64_t time_ = 0, treeTime_ = 0;
    std::uint64_t snapshots_ = 0, trees_ = 0, damaged_ = 0;
    std::uint64_t heapBytes_ = 0, heapBytesOfTree_ = 0, treeBytes_ = 0;
    std::uint64_t treesWithLess_ = 0, treesWithMore_ = 0;
    bool isSnapshotWhole_ = true, hasMissingNodes_ = false, lacksNodes_ = false, isCut_ = false, isLastARule_ = false;
    std::vector<Node> nodes_;            ///< of the line at hand, the outermost node first
    std::vector<Level> levels_{Level{}}; ///< the first one is of no stack
    std::vector<std::uint32_t> touched_; ///< levels of this tree
    std::vector<std::uint32_t> present_; ///< those of the one before
    tsl::robin_map<std::uint64_t, std::uint32_t, SeededHash> levelsByFrame_;
    tsl::robin_map<std::string_view, std::uint32_t, SeededHash> frames_;
    Profile profile_;
};

void addMassifNotes(const MassifReader& reader, Profile& profile) {
    profile.notes.push_back(fmt::format("{} of {} snapshots of massif have stacks: memory is as it was at these.",
                                        reader.trees(), reader.snapshots()));
    if (reader.lastBytes() != reader.lastBytesWithStacks()) {
        profile.notes.push_back(
            fmt::format("The last snapshot has {} bytes in blocks, but no stacks; the last one that has stacks, which "
                        "the tables end with, has {}.",
                        thousands(reader.lastBytes()), thousands(reader.lastBytesWithStacks())));
    }
    if (reader.treesWithLess() > 0) {
        profile.notes.push_back(
            fmt::format("In {} snapshots the stacks have fewer bytes than the snapshot: the rest has no stack.",
                        thousands(reader.treesWithLess())));
    }
    if (reader.treesWithMore() > 0) {
        profile.notes.push_back(fmt::format(
            "In {} snapshots the stacks have more bytes than the snapshot: the tables show the bytes of the stacks.",
            thousands(reader.treesWithMore())));
    }
    if (const auto unit = reader.unitInNotes(); !unit.empty())
        profile.notes.push_back(fmt::format("Times are {}: 1 s stands for 1,000,000,000 of them.", unit));
}

} // namespace

/// Other writers than valgrind have the lines of the header in another order, or behind all snapshots. The line of the
/// arguments may be longer than what is looked at.
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
    if (reader.trees() == 0) {
        return Error{reader.isCut() ? ErrorKind::Damaged : ErrorKind::Unsupported,
                     fmt::format("{} has no snapshot with a tree of stacks: there is nothing to show.", name)};
    }
    auto profile = reader.take();
    profile.tool = "massif";
    profile.hasTimes = true;
    profile.hasCounts = false;
    addMassifNotes(reader, profile);
    if (reader.isCut()) profile.remarks.push_back(fmt::format("{} is cut off: what follows is missing.", name));
    if (reader.damaged() > 0) {
        profile.remarks.push_back(
            fmt::format("Damaged parts of {} that were left out: {}.", name, thousands(reader.damaged())));
    }
    return profile;
}

} // namespace highwater::source
