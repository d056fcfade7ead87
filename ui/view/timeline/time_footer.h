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

/// The graph and its amount.
using NamedAmount = std::pair<QString, QString>;
/// "Heap Allocations +10.0 MB, Frees 1.0 KB" in the given width: names are shortened and omitted before a number is
/// cut.
[[nodiscard]] QString fittingAmounts(const QList<NamedAmount>& amounts, const QFontMetrics& metrics, int width);

/// Start, end and duration of the selection, or of the visible range, to the nanosecond: can be read, typed and pasted
/// (two times at once zoom to them). Next to them are the results of the selection, and the whole trace as a ruler. One
/// for all graphs of a tab. GUI thread only.
class TimeFooter : public QWidget {
    Q_OBJECT
  public:
    explicit TimeFooter(AnalysisState& state, QWidget* parent = nullptr);

    /// For one graph; shown while it matches the selection.
    void setSelectionAmount(const QString& graph, const SelectionAmount& amount);
    /// The graph whose amount comes first; "": none.
    void setCurrentGraph(const QString& graph);

  signals:
    /// Esc was pressed in an unedited field.
    void left();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Field : std::uint8_t { Start, End, Duration };
    QLineEdit* addField(Field field, const QString& name, const QString& objectName);
    void build();
    void refresh();
    /// Edited fields keep their text while one of them has the focus and the trace grows.
    void follow(AnalysisState::Changes changes);
    void refreshAmounts();
    /// Applies this field and previously edited ones. False: the range is invalid, and the reason is shown.
    bool commit(Field field);
    [[nodiscard]] bool takeTyped(Field field, TimeRange& range);
    [[nodiscard]] QLineEdit* edit(Field field) const;
    [[nodiscard]] std::optional<Field> fieldOf(const QObject* watched) const;
    /// Why the range is invalid, as a sentence; empty if it is valid.
    [[nodiscard]] QString problemWith(TimeRange range) const;
    void apply(TimeRange range);
    /// Replaces the ruler; empty: shows the ruler.
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
