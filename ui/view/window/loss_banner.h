#pragma once

#include "core/event/trace_health.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace highwater::ui {

/// An amber strip that shows that totals are bounds, and why; hidden while nothing is missing. Its details list every
/// counter with its meaning and advice. GUI thread only.
class LossBanner : public QFrame {
    Q_OBJECT
  public:
    explicit LossBanner(QWidget* parent = nullptr);

    void setHealth(const HealthReport& health);
    /// The name of the trace, if it could be mistaken for another one; empty: the headline does not contain it.
    void setTraceName(const QString& name);
    [[nodiscard]] QString headline() const;
    /// One line per counter: "1,204 events lost. The recording lacks ..."
    [[nodiscard]] QStringList details() const;
    /// Also if there are only notes.
    void setDetailsVisible(bool visible);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void build();
    void refresh();
    void paintGround();
    [[nodiscard]] bool isAmber() const;

    HealthReport health_;
    QString traceName_;
    bool painting_ = false; ///< setting a palette triggers another palette change
    QLabel* headline_;
    QToolButton* more_;
    QToolButton* close_;
    QLabel* details_;
};

} // namespace highwater::ui
