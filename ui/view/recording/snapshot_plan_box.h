#pragma once

#include "ui/state/record_choices.h"

#include <QGroupBox>

class QCheckBox;
class QSpinBox;

namespace highwater::ui {

/// When a recording takes heap snapshots automatically: a part of the Record page. GUI thread only.
class SnapshotPlanBox : public QGroupBox {
    Q_OBJECT
  public:
    explicit SnapshotPlanBox(QWidget* parent = nullptr);

    /// Sets its part of the choices.
    void readInto(RecordChoices& choices) const;
    void setChoices(const RecordChoices& choices);

  private:
    void follow();

    QCheckBox *every_, *onGrowth_;
    QSpinBox *seconds_, *megabytes_;
};

} // namespace highwater::ui
