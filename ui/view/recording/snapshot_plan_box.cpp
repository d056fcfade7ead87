#include "ui/view/recording/snapshot_plan_box.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QSpinBox>

namespace highwater::ui {
namespace {

/// pipeline::SnapshotPlan::kShortest, repeated because recorders do not depend on pages.
constexpr int kFewestSeconds = 5;
constexpr int kLongestSeconds = 7 * 24 * 3600;
constexpr int kLargestMegabytes = 64 << 20;

QSpinBox* makeAmount(const char* name, const QString& accessible, const QString& suffix) {
    auto* box = new QSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(accessible);
    box->setGroupSeparatorShown(true);
    box->setSuffix(suffix);
    return box;
}

} // namespace

SnapshotPlanBox::SnapshotPlanBox(QWidget* parent)
    : QGroupBox(tr("Heap Snapshots"), parent),
      every_(new QCheckBox(tr("Ever&y"))),
      onGrowth_(new QCheckBox(tr("On gro&wth of"))),
      seconds_(makeAmount("snapshotSeconds", tr("Seconds between snapshots"), tr(" s"))),
      megabytes_(makeAmount("snapshotMegabytes", tr("Growth that triggers a snapshot"), tr(" MB"))) {
    every_->setObjectName(QStringLiteral("snapshotsEvery"));
    onGrowth_->setObjectName(QStringLiteral("snapshotsOnGrowth"));
    every_->setToolTip(tr("Take a heap snapshot at this interval (at least 5 seconds)"));
    onGrowth_->setToolTip(tr("Take a heap snapshot when the outstanding heap memory has grown by this amount since "
                             "the last one"));
    seconds_->setRange(kFewestSeconds, kLongestSeconds);
    megabytes_->setRange(1, kLargestMegabytes);
    megabytes_->setSingleStep(10);
    auto* grid = new QGridLayout(this);
    grid->addWidget(every_, 0, 0);
    grid->addWidget(seconds_, 0, 1);
    grid->addWidget(onGrowth_, 1, 0);
    grid->addWidget(megabytes_, 1, 1);
    grid->setColumnStretch(1, 1);
    for (auto* tick : {every_, onGrowth_})
        connect(tick, &QCheckBox::toggled, this, &SnapshotPlanBox::follow);
    follow();
}

void SnapshotPlanBox::follow() {
    seconds_->setEnabled(every_->isChecked());
    megabytes_->setEnabled(onGrowth_->isChecked());
}

void SnapshotPlanBox::readInto(RecordChoices& choices) const {
    choices.snapshotsEvery = every_->isChecked();
    choices.snapshotSeconds = seconds_->value();
    choices.snapshotsOnGrowth = onGrowth_->isChecked();
    choices.snapshotMegabytes = megabytes_->value();
}

/// The spin box clamps values that others have stored.
void SnapshotPlanBox::setChoices(const RecordChoices& choices) {
    every_->setChecked(choices.snapshotsEvery);
    seconds_->setValue(choices.snapshotSeconds);
    onGrowth_->setChecked(choices.snapshotsOnGrowth);
    megabytes_->setValue(choices.snapshotMegabytes);
}

} // namespace highwater::ui

#include "moc_snapshot_plan_box.cpp"
