#include "core/analysis/difference/difference_sentences.h"
#include "core/base/text.h"
#include "core/export/difference/difference_rows.h"
#include "core/export/text_tree.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace highwater::exports {
namespace {

using analysis::Change, analysis::Difference, analysis::Measure, analysis::Side;

std::string signedText(std::int64_t number) {
    return fmt::format("{}{}", number < 0 ? "-" : "", thousands(magnitude(number)));
}
std::string deltaText(std::int64_t delta) { return (delta > 0 ? "+" : "") + signedText(delta); }

/// The measure that determines the order, and Count.
std::vector<Measure> shownMeasures(const Difference& difference) {
    const auto decides = difference.query().decides;
    const bool isAlone =
        decides == Measure::Count || !analysis::whyNoMeasure(difference.query(), Measure::Count).empty();
    return isAlone ? std::vector{decides} : std::vector{decides, Measure::Count};
}

/// Titles of a measure's columns: both sides, the difference, and rates if the intervals differ in length.
void addTitles(const Difference& difference, Measure measure, std::vector<std::string>& titles) {
    const auto name = analysis::measureName(measure);
    titles.push_back(fmt::format("{} before", name));
    titles.emplace_back("after");
    titles.emplace_back("delta");
    if (measure != difference.query().decides || !analysis::haveDifferentLengths(difference)) return;
    titles.emplace_back("before/s");
    titles.emplace_back("after/s");
}

void addCells(const Difference& difference, Measure measure, const std::optional<Change>& change,
              std::vector<std::string>& cells) {
    cells.push_back(change ? signedText(change->before) : std::string());
    cells.push_back(change ? signedText(change->after) : std::string());
    cells.push_back(change ? deltaText(change->delta()) : std::string());
    if (measure != difference.query().decides || !analysis::haveDifferentLengths(difference)) return;
    const auto rate = [&](std::int64_t value, Side side) {
        constexpr double kMost = 9e18; // rates over very short intervals may exceed the range
        const auto perSecond = analysis::perSecond(value, difference.seconds(side));
        return signedText(std::llround(std::clamp(perSecond, -kMost, kMost)));
    };
    cells.push_back(change ? rate(change->before, Side::Before) : std::string());
    cells.push_back(change ? rate(change->after, Side::After) : std::string());
}

std::string sideText(const std::vector<ComparedFile>& files, const std::vector<analysis::ComparedTrace>& traces) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (const auto time = snapshotTimeOf(traces[i])) {
            parts.push_back(fmt::format("{}, snapshot {} at {} s", printable(files[i].name), traces[i].instances.only,
                                        allDecimals(*time)));
            continue;
        }
        const auto& interval = traces[i].interval;
        parts.push_back(fmt::format("{}, {} s to {} s", printable(files[i].name), allDecimals(interval.start),
                                    allDecimals(interval.end)));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

TextLine lineOf(const Difference& difference, const DifferenceRow& row) {
    TextLine line;
    line.level = std::max<std::size_t>(row.path.size(), 1);
    line.column = row.path.empty() ? analysis::Column::Process : row.path.back().column;
    line.key = row.path.empty() ? "Total" : printable(row.path.back().text);
    line.cells.emplace_back(row.state ? analysis::stateText(*row.state) : std::string_view());
    for (const auto measure : shownMeasures(difference))
        addCells(difference, measure, row.of(measure), line.cells);
    return line;
}

} // namespace

void writeDifferenceSides(const DifferencePage& page, std::ostream& out) {
    const auto& query = page.difference.query();
    out << fmt::format("{}\nbefore: {}\nafter:  {}\n\n", analysis::tableTitle(query.table),
                       sideText(page.before, query.before), sideText(page.after, query.after));
}

void writeDifferenceText(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out) {
    const auto& query = page.difference.query();
    writeDifferenceSides(page, out);
    std::vector<std::string_view> keys;
    for (const auto key : query.keys)
        keys.push_back(analysis::columnName(query.table, key));
    std::vector<std::string> titles{"State"};
    for (const auto measure : shownMeasures(page.difference))
        addTitles(page.difference, measure, titles);
    TextTree tree;
    for (const auto& row : rows)
        tree.add(lineOf(page.difference, row));
    if (!rows.empty()) tree.addTotal(lineOf(page.difference, totalOf(page.difference)));
    tree.write(fmt::format("{}", fmt::join(keys, " / ")), titles, out);
}

} // namespace highwater::exports
