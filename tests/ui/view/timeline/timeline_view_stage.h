#pragma once

#include "tests/ui/support/small_trace.h"
#include "tests/ui/support/test_answer.h"
#include "ui/state/analysis_state.h"
#include "ui/state/series_colors.h"
#include "ui/view/timeline/timeline_view.h"
#include "ui/view/timeline/zoom_actions.h"

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <cstdlib>

namespace highwater::tests {

/// A timeline of one second with a spike in its middle, and actions of a user.
struct TimelineViewStage {
    ui::AnalysisState state;
    ui::GraphState& graph = state.addGraph(analysis::Table::VirtualAlloc);
    ui::SeriesColors colors;
    ui::ZoomActions actions{state};
    ui::TimelineView view{graph, colors, actions};

    TimelineViewStage() {
        state.reset({ms(0), ms(1000)});
        view.setAnswer(spikyTimeline(1 << 20));
        view.resize(1100, 300);
        view.show();
        view.activateWindow();
        view.setFocus();
        (void)QTest::qWaitForWindowExposed(&view);
    }
    [[nodiscard]] QPoint at(std::int64_t time) const {
        return {static_cast<int>(std::lround(view.coordinates().xOf(ms(time)))), 100};
    }
    void moveTo(std::int64_t time) {
        QMouseEvent move(QEvent::MouseMove, QPointF(at(time)), view.mapToGlobal(QPointF(at(time))), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&view, &move);
    }
    void hover(std::int64_t time) {
        QMouseEvent move(QEvent::MouseMove, QPointF(at(time)), view.mapToGlobal(QPointF(at(time))), Qt::NoButton,
                         Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&view, &move);
    }
    void drag(std::int64_t from, std::int64_t to) {
        QTest::mousePress(&view, Qt::LeftButton, {}, at(from));
        moveTo((from + to) / 2);
        moveTo(to);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, at(to));
    }
    void wheel(std::int64_t time, int notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(QPointF(at(time)), view.mapToGlobal(QPointF(at(time))), {}, {0, notches * 120}, Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    }
};

/// To 2 ms, which is less than two pixels of the stage.
inline bool isNear(TraceTime time, std::int64_t wantedMs) { return std::abs(time.ns - ms(wantedMs).ns) < ms(2).ns; }

} // namespace highwater::tests
