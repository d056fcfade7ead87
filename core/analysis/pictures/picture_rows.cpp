#include "core/analysis/pictures/picture_rows.h"

#include "core/base/text.h"
#include "core/store/published/processes_by_pid.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace highwater::analysis {
namespace {

/// For each block, the root at the end of its chain of holders. Each link is followed once, because chains can be as
/// long as there are blocks.
std::vector<std::uint32_t> rootsOf(const MemoryPicture& picture) {
    const auto count = static_cast<std::uint32_t>(picture.blocks.size());
    const auto none = static_cast<std::uint32_t>(picture.roots.size());
    constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
    std::vector<std::uint32_t> roots(count, kUnknown);
    std::vector<std::uint32_t> chain;
    for (std::uint32_t block = 0; block < count; ++block) {
        auto at = block;
        chain.clear();
        while (at < count && roots[at] == kUnknown) {
            chain.push_back(at);
            at = picture.blocks[at].holder;
        }
        const auto root = at == PictureBlock::kNone ? none : at < count ? roots[at] : at - count;
        for (const auto link : chain)
            roots[link] = root;
    }
    return roots;
}

/// Numbers texts in the order in which they are first asked for.
class TextNumbers {
  public:
    explicit TextNumbers(std::vector<std::string>& texts) : texts_(texts) {}
    std::uint32_t of(const std::string& text) {
        const auto [known, isNew] = numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
        if (isNew) texts_.push_back(text);
        return known->second;
    }

  private:
    std::vector<std::string>& texts_;
    std::map<std::string, std::uint32_t> numbers_;
};

} // namespace

std::string rootText(const MemoryPicture& picture, const PictureRoot& root) {
    const auto& name = picture.names[root.name];
    const auto ofThread = [&](const std::string& what) {
        const auto& thread = picture.names[root.threadName];
        return fmt::format("{} of {} ({})", what, thread.empty() ? "thread" : thread, root.thread);
    };
    switch (root.kind) {
    case RootKind::Variable:
        return name.find('!') != std::string::npos ? name : fmt::format("variables of {}", fileName(name));
    case RootKind::ThreadLocal:
        if (root.name == root.threadName) return ofThread("thread-local data");
        return ofThread(name.find('!') != std::string::npos ? name
                                                            : fmt::format("thread-local data of {}", fileName(name)));
    case RootKind::Stack:
        return root.parent == PictureRoot::kNoParent ? ofThread("stack")
                                                     : fmt::format("{}: {}", ofThread("stack"), name);
    case RootKind::Register:
        return ofThread("registers");
    case RootKind::Mapping:
        break;
    }
    return fmt::format("mapping {}", name.empty() ? "without a name" : name);
}

std::string pictureNote(const store::PublishedTrace& trace, TimeRange interval) {
    constexpr std::string_view kNoValues = "Reachability, Holder, Object Type and Retained have no values because";
    if (!trace.pictures)
        return fmt::format("{} the trace contains no picture of memory. To take one while a program is being recorded "
                           "(Linux), press Ctrl+Alt+P in the window, or use --picture-every on the command line.",
                           kNoValues);
    const auto isIn = [&](const SharedMemoryPicture& picture) { return trace.isMeasuredIn(interval, picture->time); };
    if (std::ranges::any_of(*trace.pictures, isIn)) return {};
    return fmt::format("{} no picture of memory was taken in the interval.", kNoValues);
}

/// Recorders write such sentences as remarks.
std::string whyNotTaken(const store::PublishedTrace& trace) {
    if (trace.pictures) return {};
    std::string text;
    for (const auto& sentence : trace.health.sentences()) {
        const bool isOfPictures = sentence.starts_with("No picture of ") || sentence.starts_with("No pictures of ");
        if (isOfPictures) text += (text.empty() ? "" : " ") + sentence;
    }
    return text;
}

bool isOfPictures(const store::PublishedTrace& trace) {
    constexpr std::uint64_t kPart = 10;
    if (!trace.pictures) return false;
    std::uint64_t most = 0;
    for (const auto& picture : *trace.pictures)
        most = std::max<std::uint64_t>(most, picture->blocks.size());
    return trace.heap.rows == 0 || trace.heap.rows < most / kPart;
}

TraceTime endOfRound(std::span<const SharedMemoryPicture> pictures, TraceTime chosen) {
    constexpr std::int64_t kLongest = 1'000'000'000;
    std::set<std::uint32_t> pids;
    auto last = chosen;
    for (auto at = std::ranges::lower_bound(pictures, chosen, {},
                                            [](const SharedMemoryPicture& picture) { return picture->time; });
         at != pictures.end(); ++at) {
        const auto& picture = **at;
        if (picture.time.ns - last.ns > kLongest || !pids.insert(picture.pid).second) break;
        last = picture.time;
    }
    return TraceTime{last.ns + 1};
}

PictureRows::PictureRows(const store::PublishedTrace& trace, TimeRange interval) {
    holders_.emplace_back(kNoHolder);
    if (!trace.pictures) return;
    TextNumbers holders(holders_), types(types_);
    // All pictures, so that a holder or type keeps its number when the interval changes: paths of rows contain it.
    for (const auto& picture : *trace.pictures) {
        for (const auto& root : picture->roots)
            (void)holders.of(rootText(*picture, root));
        for (const auto& type : picture->types)
            (void)types.of(type);
    }
    const store::ProcessesByPid processes(*trace.processes);
    for (const auto& picture : *trace.pictures) {
        if (!trace.isMeasuredIn(interval, picture->time)) continue;
        const auto process = processes.at(picture->pid, picture->time);
        if (!process) continue;
        const auto known = indexOf(*process);
        auto& pictured = known ? all_[*known] : all_.emplace_back();
        pictured.process = *process;
        pictured.picture = picture; // the newest is the last
    }
    std::ranges::sort(all_, {}, [](const Pictured& pictured) { return pictured.process.value; });
    for (auto& pictured : all_) {
        pictured.rootOf = rootsOf(*pictured.picture);
        for (const auto& root : pictured.picture->roots)
            pictured.holders.push_back(holders.of(rootText(*pictured.picture, root)));
        pictured.holders.push_back(0);
        for (const auto& type : pictured.picture->types)
            pictured.types.push_back(types.of(type));
    }
}

std::optional<std::uint32_t> PictureRows::indexOf(ProcessIndex process) const {
    const auto found =
        std::ranges::find_if(all_, [&](const Pictured& pictured) { return pictured.process == process; });
    if (found == all_.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - all_.begin());
}

std::optional<PictureRows::Place> PictureRows::find(ProcessIndex process, Address address, TraceTime begin,
                                                    TraceTime end) const {
    const auto index = indexOf(process);
    if (!index) return std::nullopt;
    const auto& picture = *all_[*index].picture;
    if (begin >= picture.time || end < picture.time) return std::nullopt;
    const auto found = std::ranges::lower_bound(picture.blocks, address, {}, &PictureBlock::address);
    if (found == picture.blocks.end() || found->address != address) return std::nullopt;
    return Place{*index, static_cast<std::uint32_t>(found - picture.blocks.begin())};
}

} // namespace highwater::analysis
