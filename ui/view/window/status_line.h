#pragma once

#include "core/base/units.h"

#include <QElapsedTimer>
#include <QStatusBar>

#include <optional>

class QLabel;
class QProgressBar;
class QToolButton;

namespace highwater::ui {

/// Status bar note about symbols.
struct SymbolNote {
    QString words;     ///< empty: hidden
    QString sentences; ///< tooltip
    bool isBusy = false;
    bool isProblem = false; ///< the sentences contain errors
};

/// Status bar note about a trace.
struct TraceNote {
    std::int64_t durationNs = 0;
    std::uint64_t heapAllocations = 0;
    std::uint64_t commits = 0;
    bool isLossy = false; ///< missing events make totals bounds
    std::uint64_t managedAllocations = 0;
    bool hasTimes = true;              ///< false: no duration
    bool areSums = false;              ///< each allocation is the sum of a stack
    bool isPartial = false;            ///< loading was cancelled or replaced
    std::uint64_t unrecordedBytes = 0; ///< as in HealthReport::unrecordedGrowth
};

/// The status bar: contents of the trace, loading progress with a Cancel button, symbols on the right.
class StatusLine : public QStatusBar {
    Q_OBJECT
  public:
    explicit StatusLine(QWidget* parent = nullptr);

    /// Name and progress of the file being loaded: bytes read and in total (0: unknown).
    void showProgress(const QString& name, std::uint64_t done, std::uint64_t total);
    void hideProgress();
    void setSymbols(const SymbolNote& note);
    /// Nothing: no trace.
    void setTrace(std::optional<TraceNote> note);
    /// Shown after the contents of the trace; empty: nothing.
    void setResidentMemory(const QString& words);
    /// False: hides the notes on trace and symbols, because something else is shown.
    void setTraceShown(bool isShown);

  signals:
    void cancelWanted();
    void symbolCancelWanted();
    /// The symbol note was clicked.
    void modulesWanted();

  private:
    void build();
    void buildSymbols();
    void showNotes();
    void showTrace();

    QLabel* loading_;
    QProgressBar* bar_;
    QToolButton* cancel_;
    QToolButton* symbols_;
    QToolButton* cancelSymbols_;
    QLabel* trace_;
    QElapsedTimer since_;
    std::optional<TraceNote> note_; ///< nothing: no trace
    QString resident_;
    bool hasSymbols_ = false, areSymbolsBusy_ = false, isTraceShown_ = true;
};

} // namespace highwater::ui
