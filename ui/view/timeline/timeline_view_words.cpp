// Texts of TimelineView about its lines: next to the cursor, and for the table.
#include "ui/format/byte_format.h"
#include "ui/format/count_text.h"
#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/state/analysis_state.h"
#include "ui/view/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace highwater::ui {
namespace {

constexpr std::size_t kMostLinesTold = 12;
constexpr double kMarkReach = 4.0; ///< pixels around a mark in which the cursor shows its name

} // namespace

QString TimelineView::privateBytesName() { return tr("Private bytes"); }

bool TimelineView::tellsSelection() const {
    const auto selection = state_.selection();
    if (!selection) return false;
    return dragging_ || !cursor_ || (selection->start <= *cursor_ && *cursor_ <= selection->end);
}

std::vector<TimelineWord> TimelineView::selectionWords() const {
    const auto selection = *state_.selection();
    std::vector<TimelineWord> words{{tr("Start"), formatTime(selection.start), {}},
                                    {tr("End"), formatTime(selection.end), {}},
                                    {tr("Duration"), formatDuration(selection.end.ns - selection.start.ns), {}}};
    if (amount_ && amount_->selection == selection) words.push_back({amount_->name, amount_->amount, {}});
    return words;
}

std::vector<TimelineWord> TimelineView::cursorWords() const {
    std::vector<TimelineWord> words{{formatTime(*cursor_), {}, {}}};
    addMarkWords(words);
    if (isCoarse()) words.push_back({tr("Preliminary, at most:"), {}, {}});
    if (showsLifetimes()) {
        addLifetimeWords(words);
        return words;
    }
    const auto slice = layers_.sliceAt(*cursor_);
    if (!slice) return words;
    const auto measure = content_.answer->query.measure;
    const auto add = [&](const QString& name, double amount, const QColor& color) {
        words.push_back({name, formatAmount(std::llround(amount), measure), color});
    };
    const auto told = largestAt(*slice);
    for (const auto s : told)
        add(lineText(wholeNameOf(content_.answer->timeline, s)), layers_.valueOf(s, *slice), content_.colors[s]);
    std::size_t others = 0;
    for (std::size_t s = 0; s < layers_.seriesCount(); ++s)
        others += layers_.isShown(s) && layers_.valueOf(s, *slice) != 0 ? 1 : 0;
    others -= told.size();
    if (others > 0) words.push_back({countText(others, "and 1 more line", "and %1 more lines"), {}, {}});
    if (const auto total = layers_.totalOf(*slice)) add(tr("Total, at most"), *total, content_.totalColor);
    if (const auto bytes = layers_.privateBytesOf(*slice)) add(privateBytesName(), *bytes, content_.privateColor);
    return words;
}

/// The largest lines of a slice, as many as can be read next to the cursor, in drawing order.
std::vector<std::size_t> TimelineView::largestAt(std::size_t slice) const {
    std::vector<std::size_t> lines;
    for (std::size_t s = 0; s < layers_.seriesCount(); ++s) {
        if (layers_.isShown(s) && layers_.valueOf(s, slice) != 0) lines.push_back(s);
    }
    if (lines.size() <= kMostLinesTold) return lines;
    std::ranges::stable_sort(lines, std::greater<>(), [&](auto s) { return layers_.valueOf(s, slice); });
    lines.resize(kMostLinesTold);
    std::ranges::sort(lines);
    return lines;
}

void TimelineView::addLifetimeWords(std::vector<TimelineWord>& words) const {
    const auto bar = bars_.at(pointer_);
    if (!bar) return;
    const auto& lifetime = bars_.lifetime(*bar);
    const bool isFreed = lifetime.end != kNever;
    words.push_back({lineText(lifetime.function), {}, bars_.colorOf(*bar)});
    words.push_back({tr("Address"), QStringLiteral("0x") + QString::number(lifetime.address, 16), {}});
    words.push_back({tr("Size"), formatBytes(static_cast<std::int64_t>(lifetime.size)), {}});
    words.push_back({tr("Allocated"), formatTime(lifetime.begin), {}});
    words.push_back({tr("Freed"), isFreed ? formatTime(lifetime.end) : tr("never"), {}});
    if (isFreed && lifetime.begin != kBeforeTrace)
        words.push_back({tr("Lifetime"), formatDuration(lifetime.end.ns - lifetime.begin.ns), {}});
}

/// Names that did not fit, or were elided.
void TimelineView::addMarkWords(std::vector<TimelineWord>& words) const {
    const auto at = coordinates();
    for (const auto& mark : *state_.marks()) {
        const auto apart = std::abs(at.xOf(mark.time) - at.xOf(*cursor_));
        if (apart <= kMarkReach) words.push_back({tr("Mark: %1").arg(lineText(mark.name)), {}, {}});
    }
}

QStringList TimelineView::words() const {
    QStringList lines;
    for (const auto& word : overlay_->marks().words) {
        lines << (word.value.isEmpty() ? word.name : word.name + QLatin1Char(' ') + word.value);
    }
    return lines;
}

KeyTree TimelineView::drawnRows() const {
    KeyTree drawn;
    for (std::size_t s = 0; content_.answer && s < content_.answer->timeline.series.size(); ++s) {
        const auto& series = content_.answer->timeline.series[s];
        if (series.isGroup && !series.isOpen) drawn.insert(series.path);
    }
    for (std::size_t i = 0; content_.painted && i < content_.painted->rows.size(); ++i)
        drawn.insert(content_.painted->rows[i].path);
    return drawn;
}

} // namespace highwater::ui
