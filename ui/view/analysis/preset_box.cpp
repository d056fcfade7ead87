#include "ui/view/analysis/preset_box.h"

#include "ui/format/plain_text.h"
#include "ui/view/parts/line_icons.h"
#include "ui/view/parts/plain_widgets.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolButton>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr int kNameLetters = 50; ///< the width of the dialog, so that its title and usual names are readable

/// Elides in the middle, because the star is at the end.
class ElidedComboBox final : public QComboBox {
  protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const auto field =
            style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
        option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideMiddle, field - kTextMargin);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }

  private:
    static constexpr int kTextMargin = 4;
};

} // namespace

PresetBox::PresetBox(GraphState& graph, QWidget* parent)
    : QWidget(parent),
      graph_(graph),
      labels_(graph.layout().annotations),
      box_(new ElidedComboBox),
      menu_(new QMenu(this)) {
    build();
    buildMenu();
    connect(&graph_, &GraphState::changed, this, [this](auto changes) {
        if (changes.testFlag(GraphState::Layout)) followLabels();
        if (changes & (GraphState::Layout | GraphState::Chart | GraphState::OpenedSeries | GraphState::PresetName))
            refill();
    });
    connect(box_, &QComboBox::activated, this, &PresetBox::choose);
    refill();
}

void PresetBox::build() {
    box_->setObjectName(QStringLiteral("preset"));
    box_->setAccessibleName(tr("Preset"));
    box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box_->setMinimumContentsLength(12);
    box_->setMaxVisibleItems(30);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* more = new MenuButton;
    more->setObjectName(QStringLiteral("presetMenu"));
    more->setIcon(lineIcon(LineIcon::More));
    more->setAutoRaise(true);
    more->setFocusPolicy(Qt::TabFocus);
    more->setMenu(menu_);
    more->setToolTip(tr("Save, rename or delete presets"));
    more->setAccessibleName(tr("Preset commands"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(box_, 1);
    layout->addWidget(more);
}

void PresetBox::buildMenu() {
    menu_->setObjectName(QStringLiteral("presetCommands"));
    revert_ = menu_->addAction(tr("Re&vert to Preset"), this, &PresetBox::backToPreset);
    revert_->setObjectName(QStringLiteral("presetRevert"));
    menu_->addSeparator();
    save_ = menu_->addAction(tr("&Save"), this, &PresetBox::save);
    save_->setObjectName(QStringLiteral("presetSave"));
    saveAs_ = menu_->addAction(tr("Save &As…"), this,
                               [this] { askName(tr("Save Preset As"), currentName(), &PresetBox::saveAs); });
    saveAs_->setObjectName(QStringLiteral("presetSaveAs"));
    rename_ = menu_->addAction(tr("&Rename…"), this,
                               [this] { askName(tr("Rename Preset"), currentName(), &PresetBox::rename); });
    rename_->setObjectName(QStringLiteral("presetRename"));
    delete_ = menu_->addAction(tr("&Delete"), this, &PresetBox::remove);
    delete_->setObjectName(QStringLiteral("presetDelete"));
}

void PresetBox::setPresets(Presets& presets) {
    presets_ = &presets;
    connect(presets_, &Presets::changed, this, &PresetBox::refill);
    connect(presets_, &Presets::renamed, this, [this](auto table, const QString& from, const QString& to) {
        if (table == graph_.table() && graph_.presetName() == from) graph_.setPresetName(to);
    });
    refill();
}

/// Labels that a graph received from elsewhere stay unchanged by other edits, and then are not a choice of the user.
void PresetBox::followLabels() {
    const auto& labels = graph_.layout().annotations;
    if (labels == labels_) return;
    labels_ = labels;
    if (presets_) presets_->setAnnotations(graph_.table(), labels);
}

std::vector<Preset> PresetBox::offered() const {
    return presets_ ? presets_->of(graph_.table()) : standardPresets(graph_.table());
}

QString PresetBox::currentName() const {
    const auto presets = offered();
    if (const auto shown = presetShownBy(graph_, presets)) return shown->name;
    const auto found = std::find_if(presets.begin(), presets.end(),
                                    [&](const Preset& preset) { return preset.name == graph_.presetName(); });
    return found == presets.end() ? presets.front().name : found->name;
}

QString PresetBox::shownName() const { return box_->currentText(); }

void PresetBox::refill() {
    const auto presets = offered();
    const auto current = currentName();
    const bool isChanged = !presetShownBy(graph_, presets);
    const bool isOwn = presets_ && presets_->isOwn(graph_.table(), current);
    const QSignalBlocker blocker(box_);
    box_->clear();
    for (const auto& preset : presets) {
        const bool isFirstOwn = presets_ && presets_->isOwn(graph_.table(), preset.name) &&
                                box_->count() == static_cast<int>(standardPresets(graph_.table()).size());
        if (isFirstOwn) box_->insertSeparator(box_->count());
        const bool isCurrent = preset.name == current;
        box_->addItem(isCurrent && isChanged ? preset.name + QStringLiteral(" *") : preset.name, preset.name);
        if (isCurrent) box_->setCurrentIndex(box_->count() - 1);
    }
    box_->setToolTip(
        tooltipText(isChanged ? tr("%1 (modified). Choose it again to undo the changes").arg(current) : current));
    revert_->setEnabled(isChanged);
    save_->setEnabled(isChanged && isOwn);
    saveAs_->setEnabled(presets_);
    rename_->setEnabled(isOwn);
    delete_->setEnabled(isOwn);
}

void PresetBox::choose(int index) {
    const auto name = box_->itemData(index).toString();
    for (const auto& preset : offered()) {
        if (preset.name != name) continue;
        graph_.analysis().changeShape(graph_, name, [&] { usePreset(graph_, preset); });
        if (presets_) presets_->setPreferred(graph_.table(), name);
    }
    refill(); // even if the same preset was chosen
}

void PresetBox::backToPreset() { choose(box_->currentIndex()); }

void PresetBox::save() { saveAs(currentName()); }

/// Non-modal, so that the table can be inspected while choosing a name.
void PresetBox::askName(const QString& title, const QString& suggestion, void (PresetBox::*then)(const QString&)) {
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName(QStringLiteral("presetName"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(false);
    dialog->setWindowTitle(title);
    dialog->setLabelText(tr("Name:"));
    dialog->setTextValue(suggestion);
    dialog->resize(std::max(dialog->sizeHint().width(), fontMetrics().averageCharWidth() * kNameLetters),
                   dialog->sizeHint().height());
    connect(dialog, &QInputDialog::textValueSelected, this, then);
    dialog->show();
}

void PresetBox::saveAs(const QString& name) {
    if (!presets_) return;
    auto free = name.trimmed();
    // Built-in presets are not overwritten: the user's preset gets another name.
    for (int number = 2; presets_->find(graph_.table(), free) && !presets_->isOwn(graph_.table(), free); ++number)
        free = QStringLiteral("%1 (%2)").arg(name.trimmed()).arg(number);
    graph_.setPresetName(free);
    presets_->save(presetOf(graph_, free));
}

void PresetBox::rename(const QString& name) {
    if (presets_) presets_->rename(graph_.table(), currentName(), name);
}

void PresetBox::remove() {
    if (presets_) presets_->remove(graph_.table(), currentName());
}

} // namespace highwater::ui

#include "moc_preset_box.cpp"
