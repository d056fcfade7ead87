#include "ui/view/table/pivot_header.h"

#include "core/analysis/columns/column_specs.h"
#include "ui/format/cell_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/table/column_chooser.h"
#include "ui/view/table/column_widths.h"
#include "ui/view/table/header_menu.h"
#include "ui/view/table/header_painter.h"
#include "ui/view/table/pivot_header_impl.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QHelpEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QShortcut>
#include <QTimer>
#include <QToolTip>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kNarrowest = 28;
constexpr int kAutoscrollMs = 30;

QAbstractItemView* tableOf(const QWidget& header) { return qobject_cast<QAbstractItemView*>(header.parentWidget()); }

QString sortWords(const HeaderText& text) {
    const bool isDown = text.sort->descending;
    if (!text.hasLevels)
        return isDown ? PivotHeader::tr("sorted, largest first") : PivotHeader::tr("sorted, smallest first");
    const auto words =
        isDown ? PivotHeader::tr("sort rank %1, largest first") : PivotHeader::tr("sort rank %1, smallest first");
    return words.arg(text.sort->priority + 1);
}

} // namespace

PivotHeader::PivotHeader(GraphState& state, QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent), state_(state), shown_(state.layout()), autoscroll_(new QTimer(this)) {
    build();
    connect(&state_, &GraphState::changed, this, [this](auto changes) {
        if (changes.testFlag(GraphState::Layout)) refresh();
    });
    connect(this, &QHeaderView::sectionCountChanged, this, [this] { refresh(); });
    connect(this, &QHeaderView::sectionResized, this, &PivotHeader::repaintAll);
    connect(autoscroll_, &QTimer::timeout, this, &PivotHeader::scrollWhileDragging);
}

PivotHeader::~PivotHeader() = default;

void PivotHeader::build() {
    setObjectName(QStringLiteral("pivotHeader"));
    setAccessibleName(tr("Columns"));
    setSectionsClickable(false);
    setSectionsMovable(false);
    setHighlightSections(false);
    setStretchLastSection(false);
    setMinimumSectionSize(kNarrowest);
    setFocusPolicy(Qt::NoFocus); // F6 moves the focus here; Tab and clicks leave it with the rows
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    autoscroll_->setInterval(kAutoscrollMs);
}

void PivotHeader::setModel(QAbstractItemModel* newModel) {
    QHeaderView::setModel(newModel);
    if (newModel) {
        connect(newModel, &QAbstractItemModel::modelReset, this, &PivotHeader::refresh, Qt::UniqueConnection);
        connect(newModel, &QAbstractItemModel::headerDataChanged, this, &PivotHeader::refresh, Qt::UniqueConnection);
    }
    attach();
    refresh();
}

/// Attaches to the table with this header.
void PivotHeader::attach() {
    auto* table = tableOf(*this);
    if (!table || dropLine_) return;
    connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, this, &PivotHeader::repaintAll);
    auto* shortcut = new QShortcut(QKeySequence(Qt::Key_F6), table, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, &PivotHeader::toggleFocus);
    dropLine_ = new QWidget(table->viewport());
    dropLine_->setAttribute(Qt::WA_TransparentForMouseEvents);
    dropLine_->setAutoFillBackground(true);
    dropLine_->setBackgroundRole(QPalette::Window); // otherwise the row background
    dropLine_->setObjectName(QStringLiteral("dropLine"));
    dropLine_->hide();
}

void PivotHeader::toggleFocus() {
    auto* table = tableOf(*this);
    if (hasFocus() && table)
        table->setFocus(Qt::OtherFocusReason);
    else
        setFocus(Qt::OtherFocusReason);
}

void PivotHeader::setShownLayout(std::function<TableLayout()> shownLayout) {
    shownLayout_ = std::move(shownLayout);
    refresh();
}

void PivotHeader::setFreezing(Freezing freezing) {
    freezing_ = freezing;
    repaintAll();
}

void PivotHeader::refresh() {
    auto layout = shownLayout_ ? shownLayout_() : state_.layout();
    // If layouts differ only in widths, the change was made here.
    const bool isOther = !layout.looksLike(shown_) || count() != sectionCount(shown_);
    shown_ = std::move(layout);
    current_ = std::clamp(current_, 1, std::max(1, sectionCount(state_.layout()) - 1));
    if (isOther) {
        contents_.clear();
        showWidths();
    } else
        showChosenWidths();
    repaintAll();
}

void PivotHeader::refit(int from) {
    if (!askContents_ || drag_ || count() != sectionCount(shown_)) return;
    const auto now = askContents_();
    const auto before = contents_;
    contents_.resize(std::max(contents_.size(), now.size()));
    for (std::size_t i = 0; i < now.size(); ++i)
        contents_[i] = std::max(contents_[i], now[i]);
    if (contents_ == before) return;
    showWidths(from);
    repaintAll();
}

void PivotHeader::showWidths(int from) {
    const auto* table = tableOf(*this);
    auto layout = shown_;
    for (int section = 1; section < std::min(from, goldSection(layout)); ++section)
        layout.keys[static_cast<std::size_t>(section) - 1].width = sectionSize(section);
    const auto widths = columnWidths(layout, *this, table ? table->viewport()->width() : width(), contents_);
    for (int section = 0; section < std::min(count(), static_cast<int>(widths.size())); ++section) {
        resizeSection(section, widths[static_cast<std::size_t>(section)]);
    }
}

/// Keeps spare widths, because columns must not jump under the pointer.
void PivotHeader::showChosenWidths() {
    for (int section = 1; section < std::min(count(), sectionCount(shown_)); ++section) {
        if (const int width = columnOfSection(shown_, section)->width; width > 0) resizeSection(section, width);
    }
}

void PivotHeader::repaintAll() {
    viewport()->update();
    emit geometryMoved();
}

void PivotHeader::resizeEvent(QResizeEvent* event) {
    QHeaderView::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) showWidths();
}

QSize PivotHeader::sizeHint() const { return {QHeaderView::sizeHint().width(), HeaderPainter(*this).height()}; }

void PivotHeader::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(viewport());
    const HeaderPainter look(*this);
    const auto where = places();
    look.paintEmpty(painter, viewport()->rect());
    const auto paint = [&](int section) {
        const bool isPressed = drag_ && drag_->spot == HeaderSpot{HeaderSpot::Kind::Section, section};
        look.paintSection(painter, where.section(section), headerText(shown_, section),
                          {hovered_ == section && !drag_, isPressed, hasFocus() && current_ == section});
    };
    const int last = std::min(count(), sectionCount(shown_));
    painter.save();
    painter.setClipRect(viewport()->rect().adjusted(where.frozenWidth(), 0, 0, 0));
    for (int section = where.frozenSections(); section < last; ++section) {
        if (where.section(section).intersects(viewport()->rect())) paint(section);
    }
    painter.restore();
    for (int section = 0; section < where.frozenSections(); ++section) {
        paint(section);
    }
    paintBars(painter, 0, viewport()->height());
    if (drag_ && drag_->moved) paintDrag(painter);
}

void PivotHeader::paintBars(QPainter& painter, int top, int bottom) const {
    const auto where = places();
    for (const auto bar : {LayoutBar::Gold, LayoutBar::Blue}) {
        auto rect = where.bar(bar);
        if (rect.isEmpty()) continue;
        rect.setTop(top);
        rect.setBottom(bottom - 1);
        painter.fillRect(rect, HeaderPainter::barColor(bar, palette()));
    }
}

bool PivotHeader::apply(const LayoutEdit& edit) {
    if (edit.isRefused()) {
        explain(edit.refusal);
        return false;
    }
    state_.setLayout(edit.layout);
    return true;
}

void PivotHeader::explain(const QString& refusal) {
    const auto rect = places().section(std::min(current_, count() - 1));
    const auto at = drag_ ? QPoint(drag_->x, height()) : rect.bottomLeft();
    QToolTip::showText(viewport()->mapToGlobal(at), tooltipText(refusal), viewport());
    setAccessibleDescription(refusal);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

std::string PivotHeader::noteOn(analysis::Column column) const {
    const auto need = analysis::specOf(column).need;
    if (!facts_) return {};
    if (need == analysis::ColumnNeed::Samples) return facts_().sampleNote;
    return need == analysis::ColumnNeed::Pictures ? facts_().pictureNote : std::string();
}

QString PivotHeader::toolTipOf(const HeaderSpot& spot) const {
    if (spot.kind == HeaderSpot::Kind::Gold)
        return tr("The gold bar: rows are grouped by the columns left of it. Drag it over columns.");
    if (spot.kind == HeaderSpot::Kind::Blue)
        return tr("The blue bar: columns right of it are graphed. Drag it over columns.");
    if (spot.section == 0) return tr("Line number");
    const auto* column = columnOfSection(shown_, spot.section);
    if (!column) return {};
    const auto text = headerText(shown_, spot.section);
    QStringList lines{text.aggregation.isEmpty() ? text.title : tr("%1, %2").arg(text.title, text.aggregation)};
    if (text.sort) lines.first() += QStringLiteral(", ") + sortWords(text);
    if (const auto definition = definitionOf(shown_.table, column->value.column); !definition.isEmpty())
        lines << definition;
    if (const auto note = noteOn(column->value.column); !note.empty()) lines << toQString(note);
    lines << tr("Click to sort, Shift+click to add a sort level, drag to move, right-click for more.");
    return lines.join(QLatin1Char('\n'));
}

QString PivotHeader::spokenValue() const {
    QStringList keys, values, graphed;
    for (int section = 1; section < sectionCount(shown_); ++section) {
        const auto zone = zoneOfSection(shown_, section);
        auto& names = zone == LayoutZone::Keys ? keys : zone == LayoutZone::Values ? values : graphed;
        names << headerText(shown_, section).title;
    }
    const auto comma = QStringLiteral(", ");
    return tr("Grouped by %1; values: %2; graphed: %3").arg(keys.join(comma), values.join(comma), graphed.join(comma));
}

QRect PivotHeader::partAt(const QPoint& place) const {
    const auto where = places();
    const auto spot = where.spotAt(place.x());
    if (spot.kind == HeaderSpot::Kind::Nothing) return {};
    if (spot.kind == HeaderSpot::Kind::Gold) return where.bar(LayoutBar::Gold);
    return spot.kind == HeaderSpot::Kind::Blue ? where.bar(LayoutBar::Blue) : where.visibleSection(spot.section);
}

bool PivotHeader::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto text = toolTipOf(places().spotAt(help->pos().x()));
        QToolTip::showText(help->globalPos(), tooltipText(text), viewport());
        return true;
    }
    return QHeaderView::viewportEvent(event);
}

void PivotHeader::tellCurrent() {
    const auto& layout = state_.layout();
    const auto text = headerText(layout, current_);
    const auto zone = zoneOfSection(layout, current_);
    const auto place = zone == LayoutZone::Keys     ? tr("key")
                       : zone == LayoutZone::Values ? tr("value")
                                                    : tr("graphed value");
    auto words = QStringList{text.title, text.aggregation, place};
    words.removeAll(QString());
    if (text.sort) words << sortWords(text);
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void PivotHeader::setCurrentSection(int section) {
    current_ = std::clamp(section, 1, std::max(1, sectionCount(state_.layout()) - 1));
    scrollToCurrent();
    tellCurrent();
    viewport()->update();
}

void PivotHeader::scrollToCurrent() {
    const auto* table = tableOf(*this);
    const auto where = places();
    if (!table || current_ < where.frozenSections() || current_ >= count()) return;
    auto* bar = table->horizontalScrollBar();
    const auto rect = where.section(current_);
    if (rect.left() < where.frozenWidth())
        bar->setValue(bar->value() + rect.left() - where.frozenWidth());
    else if (rect.right() > viewport()->width())
        bar->setValue(bar->value() + std::min(rect.right() - viewport()->width() + HeaderGeometry::kBarWidth,
                                              rect.left() - where.frozenWidth()));
}

void PivotHeader::fitSection(int section) {
    auto* table = tableOf(*this);
    if (section < 0 || section >= std::min(count(), sectionCount(shown_))) return;
    int wanted = HeaderPainter(*this).width(headerText(shown_, section));
    if (table) wanted = std::max(wanted, table->sizeHintForColumn(section));
    resizeSection(section, wanted);
    state_.setLayout(setWidth(state_.layout(), section, wanted));
}

void PivotHeader::fitAll() {
    for (int section = 1; section < count(); ++section) {
        fitSection(section);
    }
}

void PivotHeader::openMenu(int section, const QPoint& globalPosition) {
    if (!columnOfSection(state_.layout(), section)) return openChooser();
    current_ = section;
    auto* menu = new HeaderMenu(state_, section, this);
    connect(menu, &HeaderMenu::chooserWanted, this, &PivotHeader::openChooser);
    connect(menu, &HeaderMenu::annotationsWanted, this, &PivotHeader::annotationsWanted);
    connect(menu, &HeaderMenu::fitWanted, this, [this, section] { fitSection(section); });
    connect(menu, &HeaderMenu::fitAllWanted, this, &PivotHeader::fitAll);
    menu->popup(globalPosition);
}

void PivotHeader::openChooser() {
    auto* chooser = new ColumnChooser(state_, facts_ ? facts_() : TraceFacts{}, this);
    const auto where = places();
    const int x = current_ < count() ? std::clamp(where.section(current_).left(), 0, viewport()->width() / 2) : 0;
    chooser->popup(viewport()->mapToGlobal(QPoint(x, height())));
}

} // namespace highwater::ui

#include "moc_pivot_header.cpp"
