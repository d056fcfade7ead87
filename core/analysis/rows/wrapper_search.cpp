#include "core/analysis/rows/wrapper_search.h"

#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/rows/pass_cache.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/stop_interval.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace highwater::analysis {
namespace {

constexpr std::size_t kManyCallers = 5;
constexpr double kMostOfIts = 0.5; ///< share of its allocations, for a wrapper that allocates itself
constexpr double kNearlyAll = 0.9; ///< share for one that allocates through another dedicated function

struct Sum {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
};

/// Statistics on the allocations of one function.
struct Use {
    std::uint64_t own = 0;       ///< rows allocated directly: only allocators are below it
    std::uint64_t byOne = 0;     ///< rows through its main function near the allocator
    std::uint64_t total = 0;     ///< rows through any function
    std::uint64_t lastStack = 0; ///< the last stack in which it was counted
};

/// Collects the uses of functions, stack by stack.
class UseCounter {
  public:
    explicit UseCounter(OwnerFrames& owners) : owners_(owners) {}

    void add(ProcessIndex process, std::span<const std::uint32_t> frames, Sum sum) {
        ++stack_;
        for (const auto label : frames) {
            if (label >= uses_.size()) uses_.resize(label + std::size_t{1});
            auto& use = uses_[label];
            if (use.lastStack != stack_) use.total += sum.rows;
            use.lastStack = stack_;
        }
        owners_.functionsNear(process, frames, near_);
        for (std::size_t i = 0; i + 1 < near_.size(); ++i) {
            if (i == 0) uses_[near_[i]].own += sum.rows;
            auto& caller = callers_[{near_[i], near_[i + 1]}];
            caller.rows += sum.rows;
            caller.bytes += sum.bytes;
        }
    }
    /// Call it once, when all stacks are added.
    template <typename Visit>
    void visitWrappers(Visit visit) {
        for (const auto& [pair, sum] : callers_)
            uses_[pair.second].byOne = std::max(uses_[pair.second].byOne, sum.rows);
        std::vector<double> means; // mean sizes by caller of one function
        for (auto at = callers_.begin(); at != callers_.end();) {
            const auto function = at->first.first;
            means.clear();
            for (; at != callers_.end() && at->first.first == function; ++at)
                means.push_back(static_cast<double>(at->second.bytes) / static_cast<double>(at->second.rows));
            if (means.size() < kManyCallers) continue;
            const auto& use = uses_[function];
            const auto total = static_cast<double>(use.total);
            const bool isDirect = static_cast<double>(use.own) > kMostOfIts * total;
            const bool isDeep = static_cast<double>(use.byOne) > kNearlyAll * total && requestsVariousSizes(means);
            if (isDirect || isDeep) visit(function, Wrapper{means.size(), isDeep});
        }
    }

  private:
    /// A function that allocates one kind of object requests one size for all callers. A wrapper requests the sizes of
    /// its callers.
    static bool requestsVariousSizes(std::vector<double>& means) {
        std::sort(means.begin(), means.end());
        const auto different = static_cast<std::size_t>(std::unique(means.begin(), means.end()) - means.begin());
        return different * 2 >= means.size() && different >= 3;
    }

    OwnerFrames& owners_;
    std::vector<Use> uses_;                                          ///< by label
    std::map<std::pair<std::uint32_t, std::uint32_t>, Sum> callers_; ///< by function and caller
    std::vector<std::uint32_t> near_;
    std::uint64_t stack_ = 0;
};

/// selection: all rows of the table with the columns Process and StackBottomUp.
std::optional<Wrappers> wrappersIn(const store::PublishedTrace& trace, const RowSelection& selection,
                                   OwnerFrames& owners, const std::stop_token& stop) {
    const auto& reader = selection.reader();
    // A stack may occur in many cells: threads, heaps and kinds of rows.
    struct OfStack {
        Sum sum;
        CellKey example;
    };
    std::vector<OfStack> stacks(trace.stackCount);
    for (const auto& cell : selection.cells()) {
        auto& stack = stacks[reader.stackId(Column::StackBottomUp, cell.key).value];
        stack.sum.rows += cell.sums.rows;
        stack.sum.bytes += cell.sums.size;
        stack.example = cell.key;
    }
    UseCounter counter(owners);
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        if (i % kStopEvery == 0 && stop.stop_requested()) return std::nullopt;
        const auto& [sum, key] = stacks[i];
        if (sum.rows == 0) continue;
        const ProcessIndex process{static_cast<std::uint32_t>(reader.key(Column::Process, key))};
        counter.add(process, reader.wholeStack(Column::StackBottomUp, key).frames, sum);
    }
    Wrappers wrappers;
    counter.visitWrappers([&](std::uint32_t function, Wrapper wrapper) { wrappers.add(LabelId{function}, wrapper); });
    return wrappers;
}

template <typename T>
bool isSame(const std::weak_ptr<T>& a, const std::weak_ptr<T>& b) {
    return !a.owner_before(b) && !b.owner_before(a);
}

/// Everything that the wrappers of a trace depend on. It owns nothing; identities are never reused.
struct WrapperKey {
    std::weak_ptr<const store::TraceColumns> trace;
    std::weak_ptr<const NodeLabels> labels; ///< new ones when names or modules arrive
    Table table;
    std::uint64_t rows;
    TraceTime horizon;
    std::weak_ptr<const AllocatorFrames> allocators, owners, wrappers;

    friend bool operator==(const WrapperKey& a, const WrapperKey& b) {
        return isSame(a.trace, b.trace) && isSame(a.labels, b.labels) && a.table == b.table && a.rows == b.rows &&
               a.horizon == b.horizon && isSame(a.allocators, b.allocators) && isSame(a.owners, b.owners) &&
               isSame(a.wrappers, b.wrappers);
    }
};

WrapperKey keyOf(const store::PublishedTrace& trace, FrameLabels& labels, const WrapperQuery& query) {
    const auto& view = trace.table(rowsOf(query.table));
    return {trace.columns, labels.labelsOf(trace), query.table,          view.rows,
            view.horizon,  query.allocatorFrames,  query.choices.owners, query.choices.wrappers};
}

PassCache<Wrappers, WrapperKey>& cache() {
    static PassCache<Wrappers, WrapperKey> cache;
    return cache;
}

} // namespace

std::shared_ptr<const Wrappers> keptWrappers(const store::PublishedTrace& trace, FrameLabels& labels,
                                             const WrapperQuery& query) {
    return cache().find(keyOf(trace, labels, query));
}

std::shared_ptr<const Wrappers> findWrappers(const store::PublishedTrace& trace, FrameLabels& labels,
                                             const WrapperQuery& query, const std::stop_token& stop) {
    auto key = keyOf(trace, labels, query);
    if (auto kept = cache().find(key)) return kept;
    const SelectionQuery ofAll{.table = query.table,
                               .interval = trace.wholeRange(),
                               .columns = {Column::Process, Column::StackBottomUp, Column::FreeType},
                               .allocatorFrames = query.allocatorFrames.get()};
    const auto selection = RowSelection::make(trace, labels, ofAll, stop);
    if (!selection.hasValue()) return nullptr;
    OwnerFrames owners(*trace.processes, labels, query.allocatorFrames.get(), query.choices);
    auto found = wrappersIn(trace, *selection.value(), owners, stop);
    if (!found) return nullptr;
    auto wrappers = std::make_shared<const Wrappers>(*std::move(found));
    cache().add(std::move(key), wrappers);
    return wrappers;
}

} // namespace highwater::analysis
