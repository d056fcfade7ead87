#pragma once

#include "core/event/trace_notes.h"
#include "core/store/published/published_trace.h"
#include "core/store/published/table_cut.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::tests {

/// A release of bytes of a row, as it arrived.
struct ModelRelease {
    std::uint64_t arrival = 0;
    TraceTime time;
    ByteCount bytes = 0;
    store::EndKind kind = store::EndKind::Free;
    std::uint32_t thread = 0;
    std::string stack; ///< "A;B;C", "" without a stack
    bool isFinal = false;
    bool isTemporary = false; ///< if it is final
};

/// A row as a test sees it, without columns and ids.
struct ModelRow {
    store::TableKind table = store::TableKind::Heap;
    std::uint32_t process = 0;
    Address heap = 0;
    std::uint32_t thread = 0;
    std::uint8_t source = 0;
    bool isRealloc = false;
    std::string stack;
    Address address = 0;
    ByteCount size = 0;
    std::uint64_t arrival = 0;
    TraceTime begin;
    std::vector<ModelRelease> releases;
    std::optional<TraceTime> end;
};

struct ModelUnmatched {
    store::TableKind table = store::TableKind::Heap;
    std::uint32_t process = 0;
    Address heap = 0;
    Address address = 0;
    ModelRelease release;
};

/// A block of a snapshot that has blocks of its own.
struct ModelSnapshotBlock {
    std::uint32_t snapshot = 0;
    std::uint32_t process = 0;
    Address heap = 0;
    Address address = 0;
    ByteCount size = 0;
    std::string stack;
    std::uint32_t thread = ThreadId::kUnknown;
};

/// A sample of resident memory.
struct ModelSample {
    std::uint32_t process = 0;
    TraceTime time;
    std::set<std::uint64_t> pages; ///< numbers of resident pages
    /// Pages of mappings that are resident in part, without the information which of their pages are.
    std::set<std::uint64_t> unknownPages = {};
};

/// A block in a picture of memory.
struct ModelHeld {
    Reachability reachability = Reachability::Reachable;
    std::optional<std::size_t> holder = {};    ///< a row of the picture; nothing: the root
    std::string root = {};                     ///< its text; "": unreachable
    std::optional<std::size_t> dominator = {}; ///< a row of the picture
    std::string dominatingRoot = {};           ///< text of a root that is the dominator; "": none is
    std::string type = {};                     ///< "": unknown
};

/// A picture of memory. Rows are numbers in Model::rows; chains of holders and of dominators end.
struct ModelPicture {
    std::uint32_t process = 0;
    TraceTime time;
    std::map<std::size_t, ModelHeld> blocks;
};

struct ModelProcess {
    std::string name;
    std::uint32_t pid = 0;
    std::optional<TraceTime> end;
};

struct Model {
    std::vector<ModelProcess> processes;
    std::vector<ModelRow> rows;
    std::vector<ModelUnmatched> unmatched;
    std::map<std::uint32_t, std::string> threadNames;
    std::vector<Mark> marks; ///< in no order
    std::vector<store::Snapshot> snapshots;
    std::vector<ModelSnapshotBlock> snapshotBlocks;
    std::vector<ModelSample> samples; ///< in the order of time
    std::vector<ModelPicture> pictures; ///< likewise
};

/// Fills columns through the store's writers, and a Model beside them. Times must not go back. Each frame is a module
/// of its own: frame A is labelled "A!+0x1"; "A+0x20" is another address in A's module.
class ColumnsBuilder {
  public:
    ColumnsBuilder();

    std::uint32_t process(std::string_view name, std::uint32_t pid, TraceTime start);
    void endProcess(std::uint32_t process, TraceTime time);
    /// Adds a row with all fields except arrival, releases and end count. Returns its number in Model::rows.
    std::size_t alloc(const ModelRow& row);
    /// kind, thread, stack and time of the release, which frees the rest of the row.
    void end(std::size_t row, ModelRelease release);
    /// Frees `bytes` of the row; if nothing is left, the row ends.
    void release(std::size_t row, ModelRelease release);
    void markRealloc(std::size_t row);
    void unmatched(ModelUnmatched release);
    /// A stack written "?NAME": promised now, resolved to the frames later.
    void resolve(std::string_view promise, std::string_view frames);
    /// Discards rows that ended before `start` (store::TableCut); all later events are at or after it. The model keeps
    /// them. Continues in continueCut(), after the next steps, or at publish().
    void startCut(TraceTime start);
    void continueCut(std::uint64_t events);

    /// Numbers ascend.
    void snapshot(const store::Snapshot& snapshot) { model_.snapshots.push_back(snapshot); }
    void snapshotBlock(const ModelSnapshotBlock& block);
    void sample(ModelSample sample) { model_.samples.push_back(std::move(sample)); }

    void picture(ModelPicture picture) { model_.pictures.push_back(std::move(picture)); }

    /// As the newest events report it: all rows of this thread have that name.
    void threadName(std::uint32_t thread, std::string_view name);
    [[nodiscard]] const Model& model() const { return model_; }
    /// Everything so far, all of it before `horizon`.
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> publish(TraceTime horizon);

  private:
    struct Cut {
        std::shared_ptr<store::TraceColumns> columns;
        store::TableCut heap, virtualAlloc;
    };

    void finishCut();
    StackId stack(std::uint32_t process, const std::string& text);
    std::vector<Address> frames(std::uint32_t process, std::string_view text);
    HeapId heap(std::uint32_t process, Address handle);
    store::TableColumns& table(store::TableKind kind);
    SiteId endSite(const ModelRow& row, const ModelRelease& release);
    [[nodiscard]] SharedResidentSamples samplesUpTo(TraceTime horizon) const;
    [[nodiscard]] SharedMemoryPicture pictureOf(const ModelPicture& model) const;
    [[nodiscard]] SharedMemoryPictures picturesUpTo(TraceTime horizon) const;
    store::TableView view(store::TableKind kind, TraceTime horizon);

    Model model_;
    std::shared_ptr<store::TraceColumns> columns_;
    std::unique_ptr<Cut> cut_;
    store::ProcessTable processes_;
    store::ThreadNames threadNames_;
    std::vector<RowId> rowIds_;
    std::map<std::pair<std::uint32_t, Address>, HeapId> heaps_;
    std::map<std::string, std::uint32_t> deferred_;
    std::map<std::pair<std::uint32_t, std::string>, Address> modules_;
    std::uint32_t nextDeferred_ = 0;
    std::uint64_t arrivals_ = 0;
};

} // namespace highwater::tests
