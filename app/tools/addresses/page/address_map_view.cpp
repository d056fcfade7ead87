#include "app/tools/addresses/page/address_map_view.h"

#include "app/tools/addresses/page/address_map_legend.h"
#include "ui/format/byte_format.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/format/time_format.h"
#include "ui/view/access/focus.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

QString bytesOfMap(ByteCount bytes) { return formatBytes(static_cast<SignedByteCount>(bytes)); }

QString mapAddressText(Address address) { return QStringLiteral("0x") + QString::number(address, 16); }

QString lifeOf(const analysis::AddressUse& use) {
    return use.end == kNever ? tr("since %1").arg(formatTime(use.begin)) : formatRange({use.begin, use.end});
}

} // namespace

QString usedText(const analysis::AddressMap& map) {
    const auto about = map.query.sample > 1 ? tr("about ") : QString();
    const auto live = tr("%1%2 live").arg(about, bytesOfMap(map.liveBytes));
    if (map.committedBytes == 0) return tr("%1; committed memory is unknown for some addresses").arg(live);
    if (map.liveBytes > map.committedBytes)
        return tr("%1; only %2%3 of committed memory is known").arg(live, about, bytesOfMap(map.committedBytes));
    const auto committed = tr("%1%2 committed").arg(about, bytesOfMap(map.committedBytes));
    const auto share = static_cast<double>(map.liveBytes) / static_cast<double>(map.committedBytes) * 100;
    return tr("%1, %2: %3 % used").arg(committed, live, QString::number(share, 'f', 1));
}

AddressMapView::AddressMapView(QWidget* parent)
    : QWidget(parent),
      process_(new QComboBox),
      summary_(new BusySummary("addressMapSummary", {{}, tr("%1 (updating…)")})),
      words_(new ElidedLabel({})),
      canvas_(new AddressMapCanvas),
      rows_(new QToolButton) {
    setObjectName(QStringLiteral("addressMapView"));
    process_->setObjectName(QStringLiteral("addressMapProcess"));
    process_->setAccessibleName(tr("Process whose addresses are shown"));
    process_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    process_->setMinimumContentsLength(24);
    process_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // leaves the room to the text next to it
    words_->setObjectName(QStringLiteral("addressMapWords"));
    auto* line = new QHBoxLayout;
    line->addWidget(process_);
    line->addWidget(summary_);
    line->addStretch(1);
    line->addWidget(new AddressMapLegend);
    auto* layout = makePageLayout(*this);
    layout->addLayout(line);
    layout->addWidget(canvas_, 1);
    rows_->setObjectName(QStringLiteral("showRowsOfBlock"));
    rows_->setText(tr("Show Rows"));
    rows_->setToolTip(tr("Filter to the block that you clicked, or remove that filter (Space)"));
    rows_->setFocusPolicy(Qt::TabFocus);
    auto* below = new QHBoxLayout;
    below->addWidget(words_, 1);
    below->addWidget(rows_);
    layout->addLayout(below);
    passFocus(*this, *canvas_);
    connect(process_, &QComboBox::activated, this, &AddressMapView::processChanged);
    connect(canvas_, &AddressMapCanvas::toggled, this, &AddressMapView::filterToggled);
    connect(rows_, &QToolButton::clicked, this, &AddressMapView::filterToggled);
    setBlockSelected(false);
    clear(emptyText());
}

void AddressMapView::setProcesses(const std::vector<std::pair<ProcessIndex, QString>>& processes) {
    const auto before = process();
    process_->clear();
    for (const auto& [index, name] : processes) {
        process_->addItem(name, index.value);
        if (before && index == *before) process_->setCurrentIndex(process_->count() - 1);
    }
    process_->setEnabled(!processes.empty());
}

std::optional<ProcessIndex> AddressMapView::process() const {
    const auto chosen = process_->currentData();
    return chosen.isValid() ? std::optional(ProcessIndex{chosen.toUInt()}) : std::nullopt;
}

void AddressMapView::setAnswer(std::shared_ptr<const AddressMapAnswer> answer) {
    canvas_->setAnswer(std::move(answer));
    showSummary();
}

void AddressMapView::clear(const QString& why) {
    canvas_->setAnswer(nullptr);
    summary_->setReason(why);
    clearUse();
}

void AddressMapView::showSummary() {
    const auto& answer = canvas_->answer();
    if (!answer) return summary_->setAnswer({});
    if (answer->layout->size() == 0) return summary_->setReason(tr("No memory of this process was recorded."));
    summary_->setAnswer(tr("At %1: %2").arg(formatTime(answer->map.query.instant), usedText(answer->map)));
}

void AddressMapView::setUse(const AddressMapCanvas::Place& place, const analysis::AddressUse* use) {
    auto text = tr("%1 at %2: ").arg(mapAddressText(place.address), formatTime(place.time));
    if (use == nullptr) return words_->setText(text + tr("no recorded memory"));
    const auto what = use->heap == 0 ? tr("commit") : tr("block");
    text += tr("%1 %2, %3, %4").arg(what, mapAddressText(use->address), bytesOfMap(use->size), lifeOf(*use));
    if (use->ownerFrame < use->stack.size()) text += tr(", by %1").arg(lineText(use->stack[use->ownerFrame]));
    words_->setText(text);
}

void AddressMapView::clearUse() {
    words_->setText(
        tr("Scroll or drag to zoom, click to select a block, double-click to list the blocks at the address."));
}

void AddressMapView::setBlockSelected(bool isSelected) { rows_->setEnabled(isSelected); }

} // namespace highwater::ui

#include "moc_address_map_view.cpp"
