#include "core/source/profiles/massif.h"

#include "core/base/seeded_hash.h"
#include "core/base/text.h"
#include "core/source/profiles/valgrind_frame.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

namespace highwater::source {
namespace {

constexpr std::size_t kDeepestStack = 512; ///< frames of a stack; massif itself has 200 at most
constexpr std::int64_t kLatest = std::int64_t{1} << 62;

std::optional<std::uint64_t> numberOf(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

class MassifReader {
  public:
    explicit MassifReader(std::string_view text) : text_(text) {}

    void read() {
        while (const auto line = next()) {
            if (const auto value = valueOf(*line, "cmd: ")) profile_.commandLine = *value;
            if (const auto value = valueOf(*line, "time_unit: ")) setUnit(*value);
            if (line->starts_with("snapshot=")) beginSnapshot();
            if (const auto value = valueOf(*line, "mem_heap_B=")) heapBytes_ = numberOf(*value).value_or(heapBytes_);
            if (const auto value = valueOf(*line, "time=")) setTime(*value);
            if (const auto value = valueOf(*line, "heap_tree=")) {
                isSnapshotWhole_ = true;
                if (*value != "empty") readTree();
            }
            if (isTooMuch()) return;
        }
        isCut_ |= !isSnapshotWhole_ || !text_.ends_with('\n') || text_.ends_with("#-----------\n");
        endRest();
    }
    [[nodiscard]] bool isTooMuch() const { return framesOfLevels_ > kMostProfileFrames || source::isTooMuch(profile_); }
    [[nodiscard]] std::uint64_t trees() const { return trees_; }
    [[nodiscard]] std::uint64_t snapshots() const { return snapshots_; }
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
    /// The end is missing.
    [[nodiscard]] bool isCut() const { return isCut_; }
    /// Bytes of heaps in the last snapshot, and in the last one that has stacks.
    [[nodiscard]] std::uint64_t lastBytes() const { return heapBytes_; }
    [[nodiscard]] std::uint64_t lastBytesWithStacks() const { return heapBytesOfTree_; }
    [[nodiscard]] const std::string& unit() const { return unit_; }
    [[nodiscard]] Profile take() { return std::move(profile_); }

  private:
    using Path = std::vector<std::uint32_t>; ///< frames, innermost first
    struct Level {
        ByteCount bytes = 0, wanted = 0;
        std::uint32_t firstFrame = 0;
        std::vector<std::size_t> open{}; ///< of samples_, the newest last
    };
    struct Node {
        std::size_t depth = 0;
        std::uint64_t missing = 0; ///< children that it says to have
        ByteCount bytes = 0;       ///< less those of its children
    };

    std::optional<std::string_view> next() {
        if (at_ >= text_.size()) return std::nullopt;
        const auto end = std::min(text_.find('\n', at_), text_.size());
        const auto line = text_.substr(at_, end - at_);
        before_ = at_;
        at_ = end + 1;
        return line;
    }
    static std::optional<std::string_view> valueOf(std::string_view line, std::string_view key) {
        return line.starts_with(key) ? std::optional(line.substr(key.size())) : std::nullopt;
    }

    void beginSnapshot() {
        ++snapshots_;
        isSnapshotWhole_ = false;
    }
    void setUnit(std::string_view unit) { unit_ = unit; }
    void setTime(std::string_view text) {
        constexpr std::uint64_t kTicksPerMs = 1'000'000;
        const auto value = numberOf(text);
        std::uint64_t ticks = 0;
        const bool fits = value && !__builtin_mul_overflow(*value, unit_ == "ms" ? kTicksPerMs : 1, &ticks) &&
                          ticks < static_cast<std::uint64_t>(kLatest);
        if (!fits) return void(++damaged_);
        time_ = std::max(time_, static_cast<std::int64_t>(ticks));
    }

    /// A line for each node: "n2: 100128 0x109164: leakOne(int) (known.cpp:4)", indented by its depth, its children
    /// below it. "n0: 128 in 2 places, ..." is what had no room.
    void readTree() {
        ++trees_;
        heapBytesOfTree_ = heapBytes_;
        hasMissingNodes_ = true; // until there is one
        path_.clear();
        nodes_.clear();
        for (auto& [path, level] : levels_)
            level.wanted = 0;
        bool isFirst = true;
        while (const auto line = next()) {
            const auto depth = line->find_first_not_of(' ');
            if (depth == std::string_view::npos || (*line)[depth] != 'n') {
                at_ = before_;
                break;
            }
            if (std::exchange(isFirst, false)) hasMissingNodes_ = false;
            if (!takeNode(*line, depth)) ++damaged_;
            if (isTooMuch()) return;
        }
        leaveTo(0);
        isCut_ |= hasMissingNodes_ && at_ >= text_.size();
        settle();
    }

    bool takeNode(std::string_view line, std::size_t depth) {
        const auto colon = line.find(": ", depth);
        if (colon == std::string_view::npos || depth > nodes_.size() || depth > kDeepestStack) return false;
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
        }
        const auto text = rest.substr(blank + 1);
        const bool isFrame = text.starts_with("0x");
        nodes_.push_back({depth, numberOf(line.substr(depth + 1)).value_or(0), *bytes});
        path_.push_back(isFrame ? frameOf(text) : kNoFrame);
        return true;
    }

    /// What a node has beyond its children was allocated by its own stack.
    void leaveTo(std::size_t depth) {
        while (nodes_.size() > depth) {
            if (nodes_.back().bytes > 0) {
                Path path;
                for (const auto frame : path_)
                    if (frame != kNoFrame) path.push_back(frame);
                const auto [level, isNew] = levels_.try_emplace(path);
                level->second.wanted += nodes_.back().bytes;
                if (isNew) framesOfLevels_ += path.size() + 1;
            }
            hasMissingNodes_ |= nodes_.back().missing > 0;
            nodes_.pop_back();
            path_.pop_back();
        }
    }

    std::uint32_t frameOf(std::string_view text) {
        const auto [entry, isNew] =
            frames_.emplace(std::string(text), static_cast<std::uint32_t>(profile_.frames.size()));
        if (isNew) addValgrindFrame(profile_, text);
        return entry->second;
    }

    /// From the snapshot before to this one.
    void settle() {
        for (auto& [path, level] : levels_) {
            if (level.wanted > level.bytes) grow(path, level);
            if (level.wanted < level.bytes) shrink(level);
            level.bytes = level.wanted;
        }
    }
    void grow(const Path& path, Level& level) {
        if (level.open.empty() && level.firstFrame == 0) {
            level.firstFrame = static_cast<std::uint32_t>(profile_.stackFrames.size());
            profile_.stackFrames.insert(profile_.stackFrames.end(), path.begin(), path.end());
        }
        level.open.push_back(profile_.samples.size());
        profile_.samples.push_back({.firstFrame = level.firstFrame,
                                    .frames = static_cast<std::uint32_t>(path.size()),
                                    .objects = 1,
                                    .bytes = level.wanted - level.bytes,
                                    .begin = time_});
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
    void endRest() { profile_.endTicks = time_ + 1; }

    static constexpr std::uint32_t kNoFrame = 0xFFFFFFFFu;

    std::string_view text_;
    std::size_t at_ = 0, before_ = 0;
    std::string unit_ = "i";
    std::int64_t time_ = 0;
    std::uint64_t snapshots_ = 0, trees_ = 0, damaged_ = 0;
    std::uint64_t heapBytes_ = 0, heapBytesOfTree_ = 0;
    bool isSnapshotWhole_ = true, hasMissingNodes_ = false, isCut_ = false;
    std::vector<std::uint32_t> path_;
    std::vector<Node> nodes_; ///< as many as path_
    std::map<Path, Level> levels_;
    std::size_t framesOfLevels_ = 0;
    tsl::robin_map<std::string, std::uint32_t, SeededHash> frames_;
    Profile profile_;
};

} // namespace

bool isMassif(std::string_view start) {
    return start.starts_with("desc:") && start.find("\ntime_unit: ") != std::string_view::npos;
}

Result<Profile> readMassif(ByteSpan bytes, std::string_view name) {
    MassifReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    reader.read();
    if (reader.isTooMuch()) return tooManyStacks(name);
    if (reader.trees() == 0) {
        return Error{ErrorKind::Damaged,
                     fmt::format("{} has no snapshot with a tree of stacks: there is nothing to show.", name)};
    }
    auto profile = reader.take();
    profile.tool = "massif";
    profile.hasTimes = true;
    profile.hasCounts = false;
    profile.notes.push_back(fmt::format("{} of {} snapshots of massif have stacks: memory is as it was at these.",
                                        reader.trees(), reader.snapshots()));
    if (reader.lastBytes() != reader.lastBytesWithStacks()) {
        profile.notes.push_back(
            fmt::format("The last snapshot has {} bytes in blocks, but no stacks; the last one that has stacks, which "
                        "the tables end with, has {}.",
                        thousands(reader.lastBytes()), thousands(reader.lastBytesWithStacks())));
    }
    if (reader.isCut()) profile.remarks.push_back(fmt::format("{} is cut off: what follows is missing.", name));
    if (reader.unit() != "ms") {
        profile.notes.push_back(fmt::format("Times are {}: 1 s stands for 1,000,000,000 of them.",
                                            reader.unit() == "B" ? "bytes that were allocated" : "instructions"));
    }
    if (reader.damaged() > 0) {
        profile.remarks.push_back(
            fmt::format("Damaged parts of {} that were left out: {}.", name, thousands(reader.damaged())));
    }
    return profile;
}

} // namespace highwater::source
