#pragma once

#include "core/analysis/rows/indexed_population.h"

#include <array>

namespace highwater::analysis {

/// The rows of Frees: every release of both tables whose time is in the interval. One of
///   Final      the end of a row: its remaining bytes
///   Partial    a part of a row (also the last part of a row that was released in parts)
///   Unmatched  a free of an unknown block
/// A RowRef packs (table, one of these, row id or index). The trace must outlive it.
class ReleasePopulation final : public IndexedPopulation {
  public:
    /// Nothing: stopped.
    static std::unique_ptr<ReleasePopulation> make(const store::PublishedTrace& trace, const PopulationOptions& options,
                                                   const std::stop_token& stop);

    bool visitMembers(unsigned workers, const std::stop_token& stop, const Visit& visit) const override;
    [[nodiscard]] unsigned workers() const override;
    bool annotate(LabelsOfRows& labels, const std::stop_token& stop) override;

  private:
    enum class Kind : std::uint8_t { Final, Partial, Unmatched };

    ReleasePopulation(const store::PublishedTrace& trace, const PopulationOptions& options);

    static RowRef pack(store::TableKind table, Kind kind, std::uint64_t index);
    [[nodiscard]] const IntervalRows& rowsOf(store::TableKind table) const {
        return rows_[static_cast<unsigned>(table)];
    }
    [[nodiscard]] bool isInside(store::TableKind table, TraceTime time) const;
    [[nodiscard]] bool endsInOnePiece(store::TableKind table, RowId row) const;
    [[nodiscard]] std::uint64_t spansOf(store::TableKind table) const;
    /// The releases of one unit of work: a span of rows of one table, or all partial and unmatched ones of both.
    void collect(std::uint64_t piece, std::vector<RowRef>& releases) const;
    void collectSpan(store::TableKind table, std::uint64_t span, std::vector<RowRef>& releases) const;
    void collectRest(store::TableKind table, std::vector<RowRef>& releases) const;
    [[nodiscard]] std::uint64_t pieces() const;

    [[nodiscard]] RowFacts finalFacts(store::TableKind table, RowId row) const;
    [[nodiscard]] RowFacts partialFacts(store::TableKind table, const store::PartialRelease& partial) const;
    [[nodiscard]] RowFacts unmatchedFacts(store::TableKind table, const store::UnmatchedFree& release) const;
    [[nodiscard]] RowFacts plainFacts(RowRef release) const override;

    /// Most releases are determined by their site, so they are counted by end site, without an index lookup.
    [[nodiscard]] std::size_t endSites() const {
        return endSitesOf(store::TableKind::VirtualAlloc) + endSitesOf(store::TableKind::Heap);
    }
    [[nodiscard]] std::size_t endSitesOf(store::TableKind table) const { return rowsOf(table).view().endSites; }
    [[nodiscard]] static bool isOfEndSite(const CellKey& key) {
        return key.endSite != kNoSite && key.site == kNoSite && key.freeType != kUnmatchedFreeType;
    }
    [[nodiscard]] std::size_t placeOf(const CellKey& key) const {
        return key.endSite + (key.table == store::TableKind::Heap ? endSitesOf(store::TableKind::VirtualAlloc) : 0);
    }
    [[nodiscard]] CellKey keyOf(std::size_t place) const;
    void addEndSites(const std::vector<LargeArray<Sums>>& sums);
    [[nodiscard]] std::uint32_t cellWith(const CellKey& key) const override;
    void renumberCells(const std::vector<std::uint32_t>& numbers) override;

    PopulationOptions options_;
    std::array<IntervalRows, 2> rows_;         ///< by TableKind
    LargeVector<std::uint32_t> cellOfEndSite_; ///< by placeOf(); kNoCell: no release. Empty after labels are assigned
};

} // namespace highwater::analysis
