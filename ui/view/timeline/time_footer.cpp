#include "ui/view/timeline/time_footer.h"

#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/time_format.h"
#include "ui/format/time_text.h"
#include "ui/view/parts/elided_label.h"
#include "ui/view/parts/plain_widgets.h"
#include "ui/view/timeline/time_ruler.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>
#include <limits>

namespace highwater::ui {

TimeFooter::TimeFooter(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      state_(state),
      what_(new PlainLabel),
      delta_(new ElidedLabel({})),
      problem_(new PlainLabel),
      ruler_(new TimeRuler(state)) {
    build();
    connect(&state_, &AnalysisState::changed, this, &TimeFooter::refresh);
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
    delta_->setObjectName(QStringLiteral("selectionDelta"));
    problem_->setObjectName(QStringLiteral("timeProblem"));
    problem_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // long sentences do not widen the window
    problem_->hide();
    layout->addWidget(delta_);
    layout->addWidget(problem_, 1);
    layout->addWidget(ruler_, 1);
}

QLineEdit* TimeFooter::addField(Field field, const QString& name, const QString& objectName) {
    auto* edit = new QLineEdit;
    edit->setObjectName(objectName);
    edit->setAccessibleName(name);
    edit->setToolTip(tr("Seconds, or with a unit (14.2, 350 ms). Two times, 14.0 16.0, zoom to them. Enter takes it, "
                        "Esc takes it back."));
    edit->setAlignment(Qt::AlignRight);
    edit->setFixedWidth(edit->fontMetrics().horizontalAdvance(QStringLiteral("9,999.000000000 s")) + 14);
    edit->installEventFilter(this);
    auto* label = new PlainLabel(name);
    label->setBuddy(edit);
    layout()->addWidget(label);
    layout()->addWidget(edit);
    connect(edit, &QLineEdit::returnPressed, this, [this, field] { commit(field); });
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
    refreshDelta();
}

void TimeFooter::setSelectionDelta(const QString& graph, TimeRange selection, SignedByteCount bytes) {
    deltas_.insert(graph, {selection, bytes});
    refreshDelta();
}

void TimeFooter::refreshDelta() {
    QStringList known;
    QString change;
    for (auto delta = deltas_.cbegin(); delta != deltas_.cend(); ++delta) {
        if (state_.selection() != delta->first) continue;
        change = tr("Change %1").arg(formatByteDelta(delta->second));
        known << delta.key() + QLatin1Char(' ') + formatByteDelta(delta->second);
    }
    known.sort();
    delta_->setText(known.size() == 1 ? change : known.join(QStringLiteral(", ")));
    delta_->setToolTip(tooltipText(known.join(QLatin1Char('\n'))));
    delta_->setVisible(!known.isEmpty());
}

bool TimeFooter::eventFilter(QObject* watched, QEvent* event) {
    auto* edit = qobject_cast<QLineEdit*>(watched);
    if (edit && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        refresh();
        edit->selectAll();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TimeFooter::commit(Field field) {
    const auto* edit = field == Field::Start ? start_ : field == Field::End ? end_ : duration_;
    if (const auto range = parseTimeRange(edit->text())) {
        const auto problem = problemWith(*range);
        if (!problem.isEmpty()) return showProblem(problem);
        state_.zoomTo(*range);
        return emit taken();
    }
    const auto time = parseNanoseconds(edit->text());
    if (!time) return showProblem(tr("“%1” is no time: try 14.2 or 350 ms.").arg(edit->text().trimmed()));
    auto range = shown();
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
    const auto problem = problemWith(range);
    if (!problem.isEmpty()) return showProblem(problem);
    apply(range);
    emit taken();
}

QString TimeFooter::problemWith(TimeRange range) const {
    const auto whole = state_.wholeRange();
    if (range.start >= whole.end) return tr("The trace ends at %1.").arg(formatExactTime(whole.end));
    if (range.isEmpty()) return tr("The start must come before the end.");
    if (range.end <= whole.start) return tr("The trace begins at %1.").arg(formatExactTime(whole.start));
    return {};
}

void TimeFooter::apply(TimeRange range) {
    if (state_.selection())
        state_.select(range);
    else
        state_.zoomTo(range);
    refresh(); // also when nothing changed, or less than was typed
}

void TimeFooter::showProblem(const QString& sentence) {
    problem_->setText(sentence);
    problem_->setToolTip(tooltipText(sentence));
    problem_->setVisible(!sentence.isEmpty());
    ruler_->setVisible(sentence.isEmpty());
}

} // namespace highwater::ui
