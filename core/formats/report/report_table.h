#pragma once

#include "core/analysis/table/table_query.h"
#include "core/export/table_writer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace highwater::formats {

/// The rows of a tree as expandable parts of a page. A frame that is an only child with the same amounts as its caller
/// is listed below it without a row of its own. Rows beyond kMostRows are omitted, with a remark. The stream must
/// outlive it. One thread.
class ReportTable final : public exports::TableWriter {
  public:
    static constexpr std::size_t kMostRows = 50'000;

    /// The query must outlive it.
    ReportTable(const analysis::Query& query, std::ostream& out) : query_(query), out_(out) {}

    void begin() override {}
    void write(const exports::ExportedRow& row) override;
    [[nodiscard]] bool wantsTotal() const override { return true; }
    void total(const std::vector<analysis::CellValue>& values) override;
    void end(const HealthReport& health) override;

    [[nodiscard]] std::size_t rows() const { return seen_; }

  private:
    struct Line {
        std::size_t level = 0; ///< from 1
        bool isFrame = false;
        std::string key;
        std::vector<std::string> cells;
        std::size_t children = 0;
    };
    [[nodiscard]] std::vector<std::string> cellsOf(const std::vector<analysis::CellValue>& values) const;
    void countChildren();
    /// The line after the rows that are listed with this one.
    [[nodiscard]] std::size_t endOfCalls(std::size_t line) const;
    void writeRow(const char* element, const char* style, const std::string& key,
                  const std::vector<std::string>& cells);
    void writeHead();

    const analysis::Query& query_;
    std::ostream& out_;
    std::vector<Line> lines_;
    std::vector<std::string> total_;
    std::size_t seen_ = 0;
};

} // namespace highwater::formats
