#pragma once

#include "ui/state/analysis_state.h"
#include "ui/view/timeline/selection_amount.h"

#include <QHash>
#include <QList>
#include <QWidget>

#include <optional>
#include <utility>

class QFontMetrics;
class QLabel;
class QLineEdit;

namespace highwater::ui {

class AmountsLabel;
class TimeRuler;

/// Whose amount it is, and the amount.
using NamedAmount = std::pair<QString, QString>;
/// "Heap Allocations +10.0 MB, Frees 1.0 KB" in so many pixels: names become shorter, and are left out, before a number
/// is cut.
[[nodiscard]] QString fittingAmounts(const QList<NamedAmount>& amounts, const QFontMetrics& metrics, int width);

/// Start, end and duration of what is selected, else of what is visible, to the nanosecond: read, typed and pasted (two
/// times at once zoom to them); beside them what the selection changed or freed, and the whole trace as a ruler. One
/// for all graphs of a tab. GUI thread only.
class TimeFooter : public QWidget {
    Q_OBJECT
  public:
    explicit TimeFooter(AnalysisState& state, QWidget* parent = nullptr);

    /// Of one graph; shown while it is the selection.
    void setSelectionAmount(const QString& graph, const SelectionAmount& amount);
    /// Whose amount stands first; "": none of them.
    void setCurrentGraph(const QString& graph);

  signals:
    /// By Esc where nothing was typed.
    void left();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Field : std::uint8_t { Start, End, Duration };
    QLineEdit* addField(Field field, const QString& name, const QString& objectName);
    void build();
    void refresh();
    /// Fields that were typed in keep what was typed while one of them has the focus and the trace grows.
    void follow(AnalysisState::Changes changes);
    void refreshAmounts();
    /// Takes what was typed in this field, and in those that were left before it. False: it cannot be shown, and why is
    /// told.
    bool commit(Field field);
    [[nodiscard]] bool takeTyped(Field field, TimeRange& range);
    [[nodiscard]] QLineEdit* edit(Field field) const;
    [[nodiscard]] std::optional<Field> fieldOf(const QObject* watched) const;
    /// Why this cannot be shown, as a sentence; empty if it can.
    [[nodiscard]] QString problemWith(TimeRange range) const;
    void apply(TimeRange range);
    /// In the place of the ruler; empty: the ruler.
    void showProblem(const QString& sentence);
    [[nodiscard]] TimeRange shown() const { return state_.selection().value_or(state_.visibleRange()); }

    AnalysisState& state_;
    QLabel* what_;
    QLineEdit* start_;
    QLineEdit* end_;
    QLineEdit* duration_;
    AmountsLabel* amount_;
    QLabel* problem_;
    TimeRuler* ruler_;
    QHash<QString, SelectionAmount> amounts_; ///< by graph
    QString currentGraph_;
};

} // namespace highwater::ui
