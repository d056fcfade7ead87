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

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void refresh();
    void paintGround();

    HealthReport health_;
    bool painting_ = false; ///< a new palette is itself a change of it
    QLabel* headline_;
    QToolButton* more_;
    QLabel* details_;
};

} // namespace highwater::ui
