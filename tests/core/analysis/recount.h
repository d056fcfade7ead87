#pragma once

#include "core/analysis/columns/column_set.h"
#include "core/analysis/table/grouped_table.h"
#include "core/analysis/timeline/memory_timeline.h"
#include "tests/core/analysis/columns_builder.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The definitions of docs/numbers.md 4, row by row and as slowly as they are written. Uses nothing from the store and,
/// from the analysis, only the names of columns.
namespace highwater::tests {

/// Columns that Recount does not compute, each with the reason. Random tables and queries leave them out.
inline const analysis::ColumnSet kNotRecounted{analysis::Column::Owner}; // by OwnerColumnTest
/// The other columns of the table.
[[nodiscard]] std::vector<analysis::Column> recountedColumnsOf(analysis::Table table);

/// For keys that are not stacks: "(outstanding)", "(no source)", "n/a" of stack tags.
[[nodiscard]] inline bool readsAsNoValue(const std::string& text) { return text.front() == '(' || text == "n/a"; }

/// Stack tags that Recount has built in: see its tagsOf().
inline constexpr const char* kRecountedStackTags = R"(<Tag Name="">
  <Tag Name="Low" Priority="-9"><Entrypoint Module="a"/></Tag>
  <Tag Name="Group"><Tag Name="Deep" Priority="1"><Entrypoint Module="B" Method="+0x?"/></Tag></Tag>
  <HintTag Name="Hint" HintOperator="Callee"><Entrypoint Module="B"/></HintTag>
  <HintTag Name="From" Priority="-5" HintOperator="Caller" OnlyShowModule="false"><Entrypoint Module="D"/></HintTag>
</Tag>)";

/// One row of a table: an allocation or, in Frees, a release.
struct RecountRow {
    const ModelRow* row = nullptr; ///< none: an unmatched free
    std::uint32_t process = 0;
    Address heap = 0;
    store::TableKind table = store::TableKind::Heap;
    ModelRelease release; ///< in Frees
    bool isUnmatched = false;
    Address address = 0;
    std::optional<TraceTime> begin; ///< none: before the trace, or unknown
    std::optional<TraceTime> end;   ///< with processExitFreesHeap
    std::optional<store::EndKind> endKind;
    ByteCount size = 0;
    std::vector<ModelRelease> releases; ///< all releases of the row
};

struct RecountSums {
    std::int64_t count = 0;
    std::int64_t size = 0;
    std::int64_t impacting = 0;
    std::int64_t allocated = 0;
    std::int64_t freed = 0;
    std::int64_t peak = 0;
    friend bool operator==(const RecountSums&, const RecountSums&) = default;

    /// The value of an aggregate column of the table; nothing: it has none.
    [[nodiscard]] std::optional<std::int64_t> of(analysis::Column column, analysis::Table table) const;
};

using TextPath = std::vector<std::pair<analysis::Column, std::string>>;

class Recount {
  public:
    /// A label and whether a row is expected to have it.
    struct Label {
        std::string text;
        std::function<bool(const Recount&, const RecountRow&)> holds;
    };
    /// horizon: when it was published. skippedFrame: the frame that bottom-up stacks leave out at the leaf.
    Recount(const Model& model, analysis::Table table, TimeRange interval, TraceTime horizon, bool exitFreesHeap,
            std::string skippedFrame);

    /// The values of Annotation: the first label that matches.
    using Labels = std::shared_ptr<const std::vector<Label>>;
    void setLabels(Labels labels) { labels_ = std::move(labels); }

    /// If it is not called, no function has a tag.
    void setTags() { hasTags_ = true; }

    /// Rows of the table in the interval.
    [[nodiscard]] std::vector<RecountRow> members() const;
    /// Rows that a timeline of the interval contains.
    [[nodiscard]] std::vector<RecountRow> drawn() const;
    [[nodiscard]] std::string keyText(const RecountRow& row, analysis::Column column) const;
    /// Whether keyText, path or sums have an answer for the column.
    [[nodiscard]] bool knows(const RecountRow& row, analysis::Column column) const;
    /// Peak Time, Slope and Trend: instant by instant and pair by pair.
    [[nodiscard]] std::string courseText(const std::vector<RecountRow>& rows, analysis::Column column) const;
    /// Resident and Held Pages: byte by byte, at the newest sample of each process.
    [[nodiscard]] std::string heldText(const std::vector<RecountRow>& rows, analysis::Column column) const;
    /// Retained: block by block, by following their dominators.
    [[nodiscard]] std::string retainedText(const std::vector<RecountRow>& rows) const;
    /// The value of the column for these rows, as plain text.
    [[nodiscard]] std::string valueText(const std::vector<RecountRow>& rows, analysis::ValueColumn column) const;
    /// All steps from the root to the row.
    [[nodiscard]] TextPath path(const RecountRow& row, const std::vector<analysis::Column>& keys) const;
    [[nodiscard]] RecountSums sums(const std::vector<RecountRow>& rows) const;
    [[nodiscard]] std::int64_t outstanding(const RecountRow& row, TraceTime t) const;
    /// For allocations, the highest outstanding amount per slice; for Frees, the bytes released.
    [[nodiscard]] std::vector<std::int64_t> timeline(const std::vector<RecountRow>& rows,
                                                     const std::vector<TraceTime>& starts) const;
    /// The same for row counts: outstanding while any part of them is; for Frees, releases.
    [[nodiscard]] std::vector<std::int64_t> countTimeline(const std::vector<RecountRow>& rows,
                                                          const std::vector<TraceTime>& starts) const;
    /// Bytes allocated in each slice: those that were freed by the end of the interval, and those that are kept.
    struct NewBytes {
        std::vector<std::int64_t> freed;
        std::vector<std::int64_t> kept;
    };
    [[nodiscard]] NewBytes newBytes(const std::vector<RecountRow>& rows, const std::vector<TraceTime>& starts) const;

  private:
    [[nodiscard]] std::vector<RecountRow> all() const;
    [[nodiscard]] std::string textOfWholeGroup(const std::vector<RecountRow>& rows, analysis::Column column) const;
    [[nodiscard]] std::string generation(const RecountRow& row) const;
    [[nodiscard]] std::int64_t survivedMarks(const RecountRow& row) const;
    [[nodiscard]] bool beganInside(const RecountRow& row) const { return row.begin && *row.begin >= interval_.start; }
    [[nodiscard]] bool endedInside(const RecountRow& row) const { return row.end && *row.end < interval_.end; }
    [[nodiscard]] std::vector<std::string> frames(const RecountRow& row, analysis::Column column) const;
    struct Tag {
        std::string name; ///< empty: none
        int priority = 0;
    };
    /// One tag for each of the frames, outermost first.
    [[nodiscard]] std::vector<Tag> tagsOf(const std::vector<std::string>& frames) const;
    [[nodiscard]] std::string stackTag(const RecountRow& row, analysis::Column column) const;
    [[nodiscard]] std::vector<std::string> frameTags(const RecountRow& row, analysis::Column column) const;
    [[nodiscard]] std::int64_t peak(const std::vector<RecountRow>& rows, TimeRange slice) const;
    [[nodiscard]] std::int64_t peakOfRows(const std::vector<RecountRow>& rows) const;
    /// The value that distinguishes the row from others; none: it has none.
    [[nodiscard]] std::optional<std::string> identity(const RecountRow& row, analysis::Column column) const;
    [[nodiscard]] std::optional<std::int64_t> number(const RecountRow& row, analysis::Column column) const;
    /// The newest sample or picture of the process in the interval; null: none.
    template <typename Measurement>
    [[nodiscard]] const Measurement* newestOf(const std::vector<Measurement>& all, std::uint32_t process) const;
    [[nodiscard]] const ModelSample* sampleOf(std::uint32_t process) const;
    struct Pictured {
        const ModelPicture* picture = nullptr;
        std::size_t row = 0;
    };
    /// Nothing: it is in no picture.
    [[nodiscard]] std::optional<Pictured> picturedOf(const RecountRow& row) const;
    [[nodiscard]] std::string pictureText(const RecountRow& row, analysis::Column column) const;
    struct Extent {
        const ModelRow* row = nullptr;
        Address begin = 0, blockBegin = 0, blockEnd = 0, end = 0;
    };
    /// The rows of the sampled process that exist at the sample, in the order in which they began.
    [[nodiscard]] std::vector<Extent> extentsAt(const ModelSample& sample) const;
    [[nodiscard]] static Extent extentOf(const ModelRow& row);
    [[nodiscard]] std::string weightedAverageText(const std::vector<RecountRow>& rows, analysis::Column column) const;

    const Model& model_;
    analysis::Table table_;
    TimeRange interval_;
    TraceTime horizon_;
    bool exitFreesHeap_;
    std::string skippedFrame_;
    bool hasTags_ = false;
    Labels labels_ = std::make_shared<const std::vector<Label>>();
};

} // namespace highwater::tests
