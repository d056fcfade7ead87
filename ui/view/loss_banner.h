#pragma once

#include "core/event/trace_health.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace highwater::ui {

/// Says that totals are bounds, and by what: an amber strip, hidden while nothing is missing. Its details list every
/// counter with what it means and what to do. GUI thread only.
class LossBanner : public QFrame {
    Q_OBJECT
  public:
    explicit LossBanner(QWidget* parent = nullptr);

    void setHealth(const HealthReport& health);
    [[nodiscard]] QString headline() const;
    /// One line a counter: "events lost: 1,204. The recorder ..."
    [[nodiscard]] QStringList details() const;
    /// Also when nothing but notes are there to read.
    void setDetailsVisible(bool visible);

  private:
    void build();
    void refresh();

    HealthReport health_;
    QLabel* headline_;
    QToolButton* more_;
    QLabel* details_;
};

} // namespace highwater::ui
