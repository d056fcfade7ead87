#pragma once

#include "core/analysis/columns/columns.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace highwater::exports {

/// A row of a tree that is written for people; it waits for the widths of all others.
struct TextLine {
    std::size_t level = 0; ///< 1 for the rows of the first key
    analysis::Column column = analysis::Column::Process;
    bool hasSiblings = false;
    std::string key = {};
    std::vector<std::string> cells = {};
};

/// Collects the rows of a tree in pre-order and writes them aligned: keys on the left, cells to the right. A frame that
/// is an only child stands below its caller without indentation; a fork is marked "|-". One thread.
class TextTree {
  public:
    /// `line` without hasSiblings, which shows.
    void add(TextLine line);
    /// A row that says all of itself: nothing stands above it, and it is nobody's sibling.
    void addAlone(TextLine line) { lines_.push_back(std::move(line)); }
    /// Below all others, at their left; no sibling of them.
    void addTotal(TextLine line) { total_.push_back(std::move(line)); }
    /// The titles, then the lines.
    void write(const std::string& keyTitle, const std::vector<std::string>& titles, std::ostream& out);

  private:
    void indent();

    std::vector<TextLine> lines_;
    std::vector<TextLine> total_;
    std::vector<std::size_t> lastOfLevel_; ///< by level: the newest row of it below the current parent, or none
};

} // namespace highwater::exports
