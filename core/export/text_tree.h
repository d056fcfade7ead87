#pragma once

#include "core/analysis/columns/columns.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace highwater::exports {

/// A row of a readable tree. It is written when the widths of all rows are known.
struct TextLine {
    std::size_t level = 0; ///< 1 for the rows of the first key
    analysis::Column column = analysis::Column::Process;
    bool hasSiblings = false;
    std::string key = {};
    std::vector<std::string> cells = {};
};

/// Collects the rows of a tree in pre-order and writes them aligned: keys on the left, cells on the right. A frame that
/// is an only child is below its caller without indentation; a fork is marked with "|-". One thread.
class TextTree {
  public:
    /// `line` without hasSiblings, which is computed.
    void add(TextLine line);
    /// A row without parents and siblings.
    void addAlone(TextLine line) { lines_.push_back(std::move(line)); }
    /// Below all other rows, aligned to the left; not a sibling.
    void addTotal(TextLine line) { total_.push_back(std::move(line)); }
    /// Writes the titles, then the lines.
    void write(const std::string& keyTitle, const std::vector<std::string>& titles, std::ostream& out);

  private:
    void indent();

    std::vector<TextLine> lines_;
    std::vector<TextLine> total_;
    std::vector<std::size_t> lastOfLevel_; ///< by level: the last row below the current parent, or none
};

} // namespace highwater::exports
