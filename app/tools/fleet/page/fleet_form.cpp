#include "app/tools/fleet/page/fleet_form.h"

#include "app/tools/fleet/page/fleet_words.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/parts/plain_widgets.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>
#include <set>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kFewestLetters = 12; ///< minimum width of a box
const auto kWholeWindow = QStringLiteral("whole"); ///< the name in the store
QString wholeWindowText() { return tr("Whole run"); }

std::string chosenIn(const QComboBox& box) { return box.currentData().toString().toStdString(); }

/// The value entered or selected in the box: empty if "All" is selected.
std::string typedIn(const QComboBox& box) {
    const auto text = box.currentText().trimmed();
    if (box.currentIndex() >= 0 && text == box.itemText(box.currentIndex())) return chosenIn(box);
    return text.toStdString();
}

/// Keeps the current choice if available, otherwise selects the item at `otherwise`.
void refill(QComboBox& box, const std::vector<std::string>& values, const QString& all, int otherwise) {
    const auto before = box.currentData();
    box.clear();
    if (!all.isEmpty()) box.addItem(all, QString());
    for (const auto& value : values)
        box.addItem(all.isEmpty() ? buildText(value) : lineText(value), toQString(value));
    const auto same = before.isValid() ? box.findData(before) : -1;
    box.setCurrentIndex(same >= 0 ? same : std::min(otherwise, box.count() - 1));
}

} // namespace

FleetForm::FleetForm(QWidget* parent) : QWidget(parent), rows_(new QFormLayout(this)) {
    setObjectName(QStringLiteral("fleetForm"));
    build();
    showRows();
}

/// A box that loses the focus during destruction would emit that it was edited.
FleetForm::~FleetForm() {
    for (auto* child : findChildren<QWidget*>())
        child->disconnect(this);
}

QComboBox* FleetForm::addBox(const char* name, const QString& label, const QString& help) {
    auto* box = new QComboBox;
    box->setMinimumContentsLength(kFewestLetters);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // builds can have long names
    addRow(*box, name, label, help);
    connect(box, &QComboBox::activated, this, &FleetForm::questionChanged);
    return box;
}

void FleetForm::addRow(QWidget& field, const char* name, const QString& label, const QString& help) {
    field.setObjectName(QLatin1String(name));
    field.setToolTip(tooltipText(help));
    auto text = label;
    field.setAccessibleName(text.remove(QLatin1Char('&')));
    auto* title = new PlainLabel(label);
    title->setBuddy(&field);
    // Underlined mnemonics change the measured text width.
    title->setMinimumWidth(title->sizeHint().width() + fontMetrics().averageCharWidth());
    rows_->addRow(title, &field);
}

void FleetForm::makeTyped(QComboBox& box, const QString& all) {
    box.setEditable(true);
    box.setInsertPolicy(QComboBox::NoInsert);
    box.lineEdit()->setPlaceholderText(all);
    connect(box.lineEdit(), &QLineEdit::editingFinished, this, [this, &box] {
        // Losing the focus alone is not a change.
        const auto now = box.currentText().trimmed();
        if (box.property("asked").toString() == now) return;
        box.setProperty("asked", now);
        emit questionChanged();
    });
    connect(&box, &QComboBox::activated, this, [&box] { box.setProperty("asked", box.currentText().trimmed()); });
}

void FleetForm::build() {
    rows_->setContentsMargins(8, 4, 4, 4);
    rows_->setVerticalSpacing(6);
    rows_->setRowWrapPolicy(QFormLayout::DontWrapRows);
    rows_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    kind_ = addBox("fleetQuestion", tr("&Query"), tr("The query to run on the fleet"));
    for (const auto kind : kFleetKinds)
        kind_->addItem(fleetKindText(kind));
    from_ = addBox("fleetFrom", tr("Fro&m build"), tr("The earlier build, used as the baseline"));
    to_ = addBox("fleetTo", tr("To buil&d"), tr("The later build"));
    build_ = addBox("fleetBuild", tr("&Build"), tr("Only runs of this build"));
    scenario_ = addBox("fleetScenario", tr("&Scenario"), tr("Only runs of this scenario"));
    machine_ = addBox("fleetMachine", tr("Machi&ne"), tr("Only runs of this machine"));
    process_ = addBox("fleetProcess", tr("Pro&cess"), tr("Only processes with this name"));
    // Created before the next box because Shift+Tab follows the creation order.
    makeTyped(*process_, tr("All"));
    table_ = addBox("fleetTable", tr("Tabl&e"), tr("The kind of memory"));
    window_ = addBox("fleetWindow", tr("&Window"),
                     tr("The part of each run: the whole run, the time between two marks (such as Warm to Full), or a "
                        "slice (such as 60 s to 120 s)"));
    makeTyped(*window_, wholeWindowText());
    measure_ = addBox("fleetMeasure", tr("Meas&ure"),
                      tr("The measure to compare. Highest Rss and Held Pages compare processes, and require recordings "
                         "with samples of resident memory. The others compare stacks"));
    buildLeast();
    process_->addItem(tr("All"), QString());
    window_->addItem(wholeWindowText(), kWholeWindow);
    table_->addItem(tr("All"));
    for (const auto table : {analysis::Table::Heap, analysis::Table::VirtualAlloc, analysis::Table::Managed})
        table_->addItem(toQString(analysis::tableTitle(table)), static_cast<int>(table));
    for (const auto measure : kFleetMeasures)
        measure_->addItem(fleetMeasureText(measure));
    for (auto* typed : {process_, window_})
        typed->setProperty("asked", typed->currentText()); // moving through with Tab does not start a query
    setContents({});
    connect(kind_, &QComboBox::currentIndexChanged, this, &FleetForm::showRows);
}

void FleetForm::buildLeast() {
    least_ = new QLineEdit;
    addRow(*least_, "fleetLeast", tr("At &least"),
           tr("Ignore growth smaller than this (for new and gone stacks: smaller amounts). For example 64 KB, or a "
              "number for counts"));
    connect(least_, &QLineEdit::editingFinished, this, [this] {
        // Losing the focus alone is not a change.
        const auto now = least_->text().trimmed();
        if (least_->property("asked").toString() == now) return;
        least_->setProperty("asked", now);
        emit questionChanged();
    });
    // An amount typed as bytes is not valid for objects, so it is reset before the measure changes.
    connect(measure_, &QComboBox::currentIndexChanged, this, [this, wasOfObjects = false]() mutable {
        if (std::exchange(wasOfObjects, isOfObjects(measure())) != isOfObjects(measure())) {
            least_->clear();
            least_->setProperty("asked", QString());
        }
        showRows();
    });
}

/// The default if nothing is typed.
void FleetForm::showUsualLeast() {
    FleetQuestion usual;
    usual.kind = kind();
    usual.samples.measure = measure();
    const auto least = leastOf(usual);
    least_->setPlaceholderText(least > 0 ? fleetBound(measure(), least) : tr("any"));
}

bool FleetForm::areProcesses() const { return comparesBuilds(kind()) && isOfProcesses(measure()); }

fleet::Measure FleetForm::measure() const {
    return kFleetMeasures[static_cast<std::size_t>(std::max(0, measure_->currentIndex()))];
}

void FleetForm::showRows() {
    const auto asked = kind();
    const bool isPair = comparesBuilds(asked), isStacks = isOfStacks(asked);
    rows_->setRowVisible(from_, isPair);
    rows_->setRowVisible(to_, isStacks);
    const auto label = isPair ? tr("To buil&d") : tr("Buil&d"); // slopes are those of one build
    if (auto* title = qobject_cast<QLabel*>(rows_->labelForField(to_))) title->setText(label);
    to_->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    to_->setToolTip(tooltipText(isPair ? tr("The later build") : tr("The build whose runs are examined")));
    rows_->setRowVisible(build_, !isStacks);
    rows_->setRowVisible(process_, isStacks);
    for (auto* box : {table_, window_})
        rows_->setRowVisible(box, isStacks && !areProcesses());
    kind_->setItemText(0, fleetKindText(FleetKind::Grew, measure()));
    rows_->setRowVisible(measure_, isPair); // a slope is itself a measure
    rows_->setRowVisible(least_, isPair);
    showUsualLeast();
}

FleetKind FleetForm::kind() const { return kFleetKinds[static_cast<std::size_t>(std::max(0, kind_->currentIndex()))]; }

void FleetForm::setKind(FleetKind kind) {
    kind_->setCurrentIndex(
        static_cast<int>(std::find(kFleetKinds.begin(), kFleetKinds.end(), kind) - kFleetKinds.begin()));
}

void FleetForm::setContents(const FleetContents& contents) {
    const auto newest = static_cast<int>(contents.builds.size()) - 1;
    refill(*from_, contents.builds, {}, std::max(newest - 1, 0));
    refill(*to_, contents.builds, {}, newest);
    refill(*build_, contents.builds, tr("All"), 0);
    refill(*scenario_, contents.scenarios, tr("All"), 0);
    refill(*machine_, contents.machines, tr("All"), 0);
    offerWindows(contents.windows);
    setEnabled(contents.runs > 0);
}

/// Typed text is kept.
void FleetForm::offerWindows(const std::vector<std::string>& windows) {
    const auto typed = window_->currentText();
    window_->clear();
    window_->addItem(wholeWindowText(), kWholeWindow);
    for (const auto& name : windows)
        if (window_->findData(toQString(name)) < 0) window_->addItem(lineText(name), toQString(name));
    window_->setCurrentIndex(window_->findText(typed));
    window_->setEditText(typed);
}

void FleetForm::offerProcesses(const std::vector<fleet::FleetStack>& stacks) {
    std::set<std::string> names;
    for (const auto& stack : stacks)
        names.insert(stack.process);
    const auto typed = process_->currentText();
    for (const auto& name : names) {
        if (!name.empty() && process_->findData(toQString(name)) < 0)
            process_->addItem(lineText(name), toQString(name));
    }
    process_->setEditText(typed);
}

FleetQuestion FleetForm::question() const {
    FleetQuestion question;
    question.kind = kind();
    question.fromBuild = chosenIn(*from_);
    question.toBuild = chosenIn(isOfStacks(question.kind) ? *to_ : *build_);
    auto& samples = question.samples;
    samples.scenario = chosenIn(*scenario_);
    samples.machine = chosenIn(*machine_);
    if (!isOfStacks(question.kind)) return question;
    samples.process = typedIn(*process_);
    if (!areProcesses()) {
        if (table_->currentData().isValid())
            samples.table = static_cast<analysis::Table>(table_->currentData().toInt());
        samples.window = typedIn(*window_);
        const bool isWhole = samples.window.empty() || toQString(samples.window) == wholeWindowText();
        if (isWhole) samples.window = kWholeWindow.toStdString();
    }
    samples.measure = question.kind == FleetKind::Slope ? fleet::Measure::Slope : measure();
    if (!comparesBuilds(question.kind) || least_->text().trimmed().isEmpty()) return question;
    if (const auto least = parseFleetBound(samples.measure, least_->text()); least.hasValue())
        question.least = least.value();
    return question;
}

QString FleetForm::problem() const {
    if (areProcesses() && kind() != FleetKind::Grew)
        return tr("%1 is a measure of processes, but this query compares stacks. Choose another measure.")
            .arg(fleetMeasureText(measure()));
    const auto typed = least_->text().trimmed();
    if (!comparesBuilds(kind()) || typed.isEmpty()) return {};
    const auto least = parseFleetBound(measure(), typed);
    return least.hasValue() ? QString() : tr("At least: %1").arg(toQString(least.error().message));
}

void FleetForm::forgetStore() {
    process_->clear();
    process_->addItem(tr("All"), QString());
    window_->clear();
    window_->addItem(wholeWindowText(), kWholeWindow);
    for (auto* typed : {process_, window_})
        typed->setProperty("asked", typed->currentText());
}

} // namespace highwater::ui

#include "moc_fleet_form.cpp"
