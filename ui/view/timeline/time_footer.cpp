#include "ui/view/timeline/time_footer.h"

#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/format/time_text.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/timeline/time_ruler.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>
#include <limits>
#include <utility>

namespace highwater::ui {
namespace {

/// Fits the longest usual time. The window does not grow for large fonts.
void fitWidth(QLineEdit& edit) {
    const auto widthOf = [&](const char* text) {
        return edit.fontMetrics().horizontalAdvance(QLatin1String(text)) + 14;
    };
    constexpr int kUsualField = 160; ///< with a font of usual size
    const int most = widthOf("9,999.000000000 s");
    edit.setMinimumWidth(most <= kUsualField ? most : widthOf("99.000000000 s"));
    edit.setMaximumWidth(most);
}

constexpr QLatin1String kBetweenAmounts(", ");

/// With names of at most this many pixels; 0: without names.
QString amountsText(const QList<NamedAmount>& amounts, const QFontMetrics& metrics, int nameWidth) {
    QStringList texts;
    for (const auto& [name, amount] : amounts) {
        const bool isWhole = metrics.horizontalAdvance(name) <= nameWidth; // rounded: elidedText() may round
                                                                           // differently
        const auto shown = isWhole ? name : metrics.elidedText(name, Qt::ElideRight, nameWidth);
        texts << (nameWidth > 0 ? shown + QLatin1Char(' ') + amount : amount);
    }
    return texts.join(kBetweenAmounts);
}

} // namespace

QString fittingAmounts(const QList<NamedAmount>& amounts, const QFontMetrics& metrics, int width) {
    constexpr int kFewestLetters = 4;
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= width; };
    int nameWidth = 0;
    for (const auto& [name, amount] : amounts)
        nameWidth = std::max(nameWidth, metrics.horizontalAdvance(name));
    for (const int letter = std::max(metrics.averageCharWidth(), 1); nameWidth >= kFewestLetters * letter;
         nameWidth -= letter)
        if (auto text = amountsText(amounts, metrics, nameWidth); fits(text)) return text;
    auto text = amountsText(amounts, metrics, 0);
    for (auto count = amounts.size() - 1; count > 0 && !fits(text); --count)
        text = amountsText(amounts.first(count), metrics, 0) + QStringLiteral(", …");
    return text;
}

/// The results of a selection in each graph, as many as fit; text() contains all.
class AmountsLabel : public ElidedLabel {
  public:
    AmountsLabel() : ElidedLabel({}) {}
    void setAmounts(QList<NamedAmount> amounts) {
        amounts_ = std::move(amounts);
        QStringList whole;
        for (const auto& [name, amount] : std::as_const(amounts_))
            whole << name + QLatin1Char(' ') + amount;
        setText(whole.join(kBetweenAmounts));
        updateGeometry();
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        const auto size = ElidedLabel::minimumSizeHint();
        const int number = amounts_.isEmpty() ? 0 : fontMetrics().horizontalAdvance(amounts_.first().second);
        return {std::max(size.width(), number), size.height()};
    }

  protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        const auto shown = fittingAmounts(amounts_, fontMetrics(), contentsRect().width());
        painter.drawText(contentsRect(), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
    }

  private:
    QList<NamedAmount> amounts_;
};

TimeFooter::TimeFooter(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      state_(state),
      what_(new PlainLabel),
      amount_(new AmountsLabel),
      problem_(new PlainLabel),
      ruler_(new TimeRuler(state)) {
    build();
    connect(&state_, &AnalysisState::changed, this, &TimeFooter::follow);
    refresh();
}

void TimeFooter::build() {
    setObjectName(QStringLiteral("timeFooter"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    layout->addWidget(what_);
    start_ = addField(Field::Start, tr("Start"), QStringLiteral("startTime"));
    end_ = addField(Field::End, tr("End"), QStringLiteral("endTime"));
    duration_ = addField(Field::Duration, tr("Duration"), QStringLiteral("duration"));
    amount_->setObjectName(QStringLiteral("selectionAmount"));
    problem_->setObjectName(QStringLiteral("timeProblem"));
    problem_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // long sentences do not widen the window
    problem_->hide();
    layout->addWidget(amount_);
    layout->addWidget(problem_, 1);
    layout->addWidget(ruler_, 1);
}

QLineEdit* TimeFooter::addField(Field field, const QString& name, const QString& objectName) {
    auto* edit = new QLineEdit;
    edit->setObjectName(objectName);
    edit->setAccessibleName(name);
    edit->setToolTip(tr("A time in seconds or with a unit (14.2, 350 ms). Two times (14.0 16.0) zoom to the interval "
                        "between them. Press Enter or leave the field to apply the time; Esc undoes it and returns "
                        "to the table."));
    edit->setAlignment(Qt::AlignRight);
    fitWidth(*edit);
    edit->installEventFilter(this);
    auto* label = new PlainLabel(name);
    label->setBuddy(edit);
    layout()->addWidget(label);
    layout()->addWidget(edit);
    connect(edit, &QLineEdit::returnPressed, this, [this, field, edit] {
        // Further typing replaces the time; in a table, letters would be commands.
        if (commit(field)) edit->selectAll();
    });
    connect(edit, &QLineEdit::textEdited, this, [this] { showProblem({}); });
    return edit;
}

void TimeFooter::refresh() {
    const auto range = shown();
    what_->setText(state_.selection() ? tr("Selection") : tr("Visible"));
    start_->setText(formatExactTime(range.start));
    end_->setText(formatExactTime(range.end));
    duration_->setText(formatExactTime(TraceTime{range.end.ns - range.start.ns}));
    showProblem({});
    refreshAmounts();
}

void TimeFooter::follow(AnalysisState::Changes changes) {
    // Typed text refers to the range shown at that time, so it is kept only if the trace just grows.
    const bool isAnother = (changes & (AnalysisState::VisibleRange | AnalysisState::Selection)) &&
                           !changes.testFlag(AnalysisState::WholeRange);
    if (isAnother) return refresh();
    if (start_->hasFocus() || end_->hasFocus() || duration_->hasFocus()) {
        for (const auto field : {Field::Start, Field::End, Field::Duration}) {
            if (edit(field)->isModified()) return;
        }
    }
    refresh();
}

void TimeFooter::setSelectionAmount(const QString& graph, const SelectionAmount& amount) {
    amounts_.insert(graph, amount);
    refreshAmounts();
}

void TimeFooter::setCurrentGraph(const QString& graph) {
    if (std::exchange(currentGraph_, graph) != graph) refreshAmounts();
}

void TimeFooter::refreshAmounts() {
    QList<NamedAmount> known;
    QString only;
    for (auto graph = amounts_.cbegin(); graph != amounts_.cend(); ++graph) {
        if (state_.selection() != graph->selection) continue;
        only = graph->name;
        known.append({graph.key(), graph->amount});
    }
    const auto rank = [this](const NamedAmount& one) { return std::pair(one.first != currentGraph_, one.first); };
    std::ranges::sort(known, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    QStringList lines;
    for (const auto& [name, amount] : known)
        lines << name + QLatin1Char(' ') + amount;
    if (known.size() == 1) known.first().first = only;
    amount_->setAmounts(known);
    amount_->setToolTip(tooltipText(lines.join(QLatin1Char('\n'))));
    amount_->setVisible(!known.isEmpty());
}

QLineEdit* TimeFooter::edit(Field field) const {
    return field == Field::Start ? start_ : field == Field::End ? end_ : duration_;
}

std::optional<TimeFooter::Field> TimeFooter::fieldOf(const QObject* watched) const {
    for (const auto field : {Field::Start, Field::End, Field::Duration}) {
        if (edit(field) == watched) return field;
    }
    return std::nullopt;
}

bool TimeFooter::eventFilter(QObject* watched, QEvent* event) {
    const auto field = fieldOf(watched);
    if (field && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        const bool takesBack = edit(*field)->isModified() || !problem_->isHidden();
        refresh();
        edit(*field)->selectAll();
        if (!takesBack) emit left();
        return true;
    }
    if (field && event->type() == QEvent::FocusOut && edit(*field)->isModified()) {
        // A context menu or another window does not end typing.
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) (void)commit(*field);
    }
    if (field && event->type() == QEvent::FontChange) fitWidth(*edit(*field));
    return QWidget::eventFilter(watched, event);
}

/// False: not a time.
bool TimeFooter::takeTyped(Field field, TimeRange& range) {
    const auto text = edit(field)->text();
    const auto time = parseNanoseconds(text);
    if (!time) {
        showProblem(tr("“%1” is not a time. Enter a time such as 14.2 or 350 ms.").arg(text.trimmed()));
        return false;
    }
    switch (field) {
    case Field::Start:
        range.start.ns = *time;
        break;
    case Field::End:
        range.end.ns = *time;
        break;
    case Field::Duration:
        range.end.ns = range.start.ns + std::min(*time, std::numeric_limits<std::int64_t>::max() - range.start.ns);
        break;
    }
    return true;
}

bool TimeFooter::commit(Field field) {
    auto range = shown();
    const auto both = parseTimeRange(edit(field)->text());
    if (both) {
        range = *both;
    } else {
        // In this order, a duration counts from the typed start. The current field has the last word.
        for (const auto other : {Field::Start, Field::End, Field::Duration}) {
            if (other != field && edit(other)->isModified() && !takeTyped(other, range)) return false;
        }
        if (!takeTyped(field, range)) return false;
    }
    const auto problem = problemWith(range);
    if (!problem.isEmpty()) {
        showProblem(problem);
        return false;
    }
    if (both) {
        state_.zoomTo(range);
        refresh();
    } else {
        apply(range);
    }
    return true;
}

QString TimeFooter::problemWith(TimeRange range) const {
    const auto whole = state_.wholeRange();
    if (range.start >= whole.end) return tr("The trace ends at %1.").arg(formatExactTime(whole.end));
    if (range.isEmpty()) return tr("The start must come before the end.");
    if (range.end <= whole.start) return tr("The trace starts at %1.").arg(formatExactTime(whole.start));
    return {};
}

void TimeFooter::apply(TimeRange range) {
    if (state_.selection())
        state_.select(range);
    else
        state_.zoomTo(range);
    refresh(); // even if nothing changed, or less than was typed
}

void TimeFooter::showProblem(const QString& sentence) {
    problem_->setText(sentence);
    problem_->setToolTip(tooltipText(sentence));
    problem_->setVisible(!sentence.isEmpty());
    ruler_->setVisible(sentence.isEmpty());
}

} // namespace highwater::ui

#include "moc_time_footer.cpp"
