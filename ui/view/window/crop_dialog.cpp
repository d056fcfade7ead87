#include "ui/view/window/crop_dialog.h"

#include "ui/format/plain_text.h"
#include "ui/view/access/row_height.h"
#include "ui/view/parts/plain_widgets.h"

#include <QDialogButtonBox>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr QSize kCropDialogSize{480, 420};
constexpr int kPidRole = Qt::UserRole;

} // namespace

CropDialog::CropDialog(const QString& interval, const std::vector<Process>& processes, QWidget* parent)
    : QDialog(parent),
      list_(new QListWidget),
      why_(new PlainLabel),
      all_(new QPushButton(tr("Select &All"))),
      none_(new QPushButton(tr("Select &None"))) {
    build(interval);
    for (const auto& process : processes) {
        auto* item = new QListWidgetItem(lineText(process.name), list_);
        item->setToolTip(tooltipText(process.name));
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setData(kPidRole, process.pid);
        item->setCheckState(Qt::Checked);
    }
    list_->setCurrentRow(0);
    connect(list_, &QListWidget::itemChanged, this, &CropDialog::enableSelection);
    follow();
}

void CropDialog::build(const QString& interval) {
    setObjectName(QStringLiteral("cropDialog"));
    setWindowTitle(tr("Export a Part of the Trace"));
    resize(kCropDialogSize);
    auto* words = new PlainLabel(interval);
    words->setObjectName(QStringLiteral("cropInterval"));
    words->setWordWrap(true);
    list_->setObjectName(QStringLiteral("cropProcesses"));
    useOneRowHeight(*list_);
    list_->setAccessibleName(tr("Processes to include"));
    why_->setObjectName(QStringLiteral("cropWhy"));
    why_->setWordWrap(true);
    why_->hide();
    all_->setObjectName(QStringLiteral("cropAll"));
    none_->setObjectName(QStringLiteral("cropNone"));
    connect(all_, &QPushButton::clicked, this, [this] { tickAll(true); });
    connect(none_, &QPushButton::clicked, this, [this] { tickAll(false); });
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false); // Enter exports
    write_ = buttons->addButton(tr("&Export…"), QDialogButtonBox::ActionRole);
    write_->setObjectName(QStringLiteral("cropWrite"));
    connect(write_, &QPushButton::clicked, this, &CropDialog::cropWanted);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* ticks = new QHBoxLayout;
    for (auto* button : {all_, none_}) {
        button->setAutoDefault(false);
        ticks->addWidget(button);
    }
    ticks->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words);
    layout->addWidget(list_, 1);
    layout->addLayout(ticks);
    layout->addWidget(why_);
    layout->addWidget(buttons);
    write_->setDefault(true); // only now the button belongs to its dialog
}

void CropDialog::setWaiting() {
    why_->setText(tr("Looking for processes with rows that match the filter of the graph…"));
    why_->show();
    for (QWidget* part : {static_cast<QWidget*>(list_), static_cast<QWidget*>(all_), static_cast<QWidget*>(none_),
                          static_cast<QWidget*>(write_)})
        part->setEnabled(false);
}

void CropDialog::tick(const std::vector<std::uint32_t>& pids, const QString& why) {
    for (auto* part : {all_, none_})
        part->setEnabled(true);
    list_->setEnabled(true);
    {
        const QSignalBlocker silent(list_);
        for (int row = 0; row < list_->count(); ++row) {
            auto* item = list_->item(row);
            const bool isOne = std::find(pids.begin(), pids.end(), item->data(kPidRole).toUInt()) != pids.end();
            item->setCheckState(isOne ? Qt::Checked : Qt::Unchecked);
        }
    }
    why_->setText(why);
    why_->setVisible(!why.isEmpty());
    list_->setFocus();
    follow();
}

void CropDialog::tickAll(bool ticked) {
    const QSignalBlocker silent(list_);
    for (int row = 0; row < list_->count(); ++row)
        list_->item(row)->setCheckState(ticked ? Qt::Checked : Qt::Unchecked);
    list_->viewport()->update();
    enableSelection();
}

std::optional<std::vector<std::uint32_t>> CropDialog::chosen() const {
    std::vector<std::uint32_t> pids;
    for (int row = 0; row < list_->count(); ++row)
        if (list_->item(row)->checkState() == Qt::Checked) pids.push_back(list_->item(row)->data(kPidRole).toUInt());
    if (pids.size() == static_cast<std::size_t>(list_->count())) return std::nullopt;
    return pids;
}

/// The note about the selection no longer applies.
void CropDialog::enableSelection() {
    why_->setText(tr("All records of the selected processes are kept."));
    follow();
}

/// A part without a process would be empty.
void CropDialog::follow() {
    const auto pids = chosen();
    write_->setEnabled(!pids || !pids->empty());
}

} // namespace highwater::ui

#include "moc_crop_dialog.cpp"
