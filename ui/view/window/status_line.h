#pragma once

#include "core/base/units.h"

#include <QElapsedTimer>
#include <QStatusBar>

#include <optional>

class QLabel;
class QProgressBar;
class QToolButton;

namespace highwater::ui {

/// What the bottom line says of symbols.
struct SymbolNote {
    QString words;     ///< empty: nothing is shown
    QString sentences; ///< tooltip
    bool isBusy = false;
    bool isProblem = false; ///< the sentences say what went wrong
};

/// What the bottom line says of a trace.
struct TraceNote {
    std::int64_t durationNs = 0;
    std::uint64_t heapAllocations = 0;
    std::uint64_t commits = 0;
    bool isLossy = false; ///< something is missing that makes totals bounds
    std::uint64_t managedAllocations = 0;
    bool hasTimes = true; ///< else it lasts for no time
    bool areSums = false; ///< an allocation stands for all of a stack
};

/// The bottom line: what the trace holds, the loading with its Cancel, symbols on the right.
class StatusLine : public QStatusBar {
    Q_OBJECT
  public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// What is loading and how far: bytes read and in all (0: not known yet).
    void showProgress(const QString& name, std::uint64_t done, std::uint64_t total);
    void hideProgress();
    void setSymbols(const SymbolNote& note);
    /// Nothing: no trace is shown.
    void setTrace(std::optional<TraceNote> note);
    /// Not: something else is on screen, and what is said of the trace and its symbols is hidden.
    void setTraceShown(bool isShown);

  signals:
    void cancelWanted();
    void symbolCancelWanted();
    /// The words about symbols were clicked.
    void modulesWanted();

  private:
    void build();
    void buildSymbols();
    void showNotes();

    QLabel* loading_;
    QProgressBar* bar_;
    QToolButton* cancel_;
    QToolButton* symbols_;
    QToolButton* cancelSymbols_;
    QLabel* trace_;
    QElapsedTimer since_;
    bool hasTrace_ = false, hasSymbols_ = false, areSymbolsBusy_ = false, isTraceShown_ = true;
};

} // namespace highwater::ui
