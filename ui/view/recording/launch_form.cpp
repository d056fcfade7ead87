#include "ui/view/recording/launch_form.h"

#include "ui/format/command_words.h"
#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/parts/plain_widgets.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace highwater::ui {
namespace {

constexpr int kEnvironmentLines = 7;
constexpr qsizetype kMostShownArguments = 1000; ///< limit, because longer texts would be measured at each paint

template <typename Widget>
Widget* labelled(Widget* widget, const char* name, const QString& accessible) {
    widget->setObjectName(QLatin1String(name));
    widget->setAccessibleName(accessible);
    return widget;
}

QPushButton* browseButton(const QString& text, const char* name) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setAutoDefault(false);
    return button;
}

QWidget* sideBySideRow(QWidget* field, QWidget* button) {
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(field, 1);
    row->addWidget(button);
    return both;
}

constexpr qsizetype kMostNames = 3; ///< most variable names in a sentence

/// "TOKEN=…, 3 variables".
QString environmentText(const LaunchTarget& target) {
    QStringList names = target.forgotten;
    for (const auto& line : target.environment)
        names << variableName(line);
    if (names.isEmpty()) return {};
    auto text = QStringLiteral("%1=…").arg(names.first());
    if (names.size() > 1) text += LaunchForm::tr(", %1 variables").arg(names.size());
    if (!target.forgotten.isEmpty()) text += LaunchForm::tr(" (not saved)");
    return text;
}

/// "A, B, C and 2 more".
QString listOfNames(const QStringList& names) {
    const auto list = QStringList(names.mid(0, kMostNames)).join(QStringLiteral(", "));
    return names.size() <= kMostNames ? list
                                      : LaunchForm::tr("%1 and %2 more").arg(list).arg(names.size() - kMostNames);
}

QString missingValuesText(const QStringList& names) {
    const auto sentence =
        names.size() == 1
            ? LaunchForm::tr(
                  "The value of %1 was not saved. Enter it under Environment; otherwise the program starts without it.")
            : LaunchForm::tr("The values of %1 were not saved. Enter them under Environment; otherwise the program "
                             "starts without them.");
    return sentence.arg(listOfNames(names));
}

bool isProgram(const QString& name) {
    return QFileInfo(name).isFile() || !QStandardPaths::findExecutable(name).isEmpty();
}

/// The length of the program in a whole command line, such as "app --port 80" or "/my programs/app 5"; -1: the text is
/// not a command line.
qsizetype lengthOfProgram(const QString& text) {
    constexpr int kMostGaps = 32; // each is looked up in the file system
    auto gap = text.indexOf(QLatin1Char(' '));
    if (gap < 0 || isProgram(text)) return -1;
    for (int gaps = 0; gap > 0 && gaps < kMostGaps; ++gaps, gap = text.indexOf(QLatin1Char(' '), gap + 1))
        if (isProgram(text.left(gap))) return gap;
    return -1;
}

/// "arguments and folder"; empty: the target has none.
QString settingsText(const LaunchTarget& target) {
    QStringList settings;
    if (!target.arguments.isEmpty()) settings << LaunchForm::tr("arguments");
    if (!target.folder.isEmpty()) settings << LaunchForm::tr("folder");
    if (!target.environment.isEmpty()) settings << LaunchForm::tr("environment");
    if (settings.size() < 2) return settings.join(QString());
    const auto last = settings.takeLast();
    return LaunchForm::tr("%1 and %2").arg(settings.join(QStringLiteral(", ")), last);
}

} // namespace

LaunchForm::LaunchForm(QWidget* parent)
    : QWidget(parent),
      program_(labelled(new QLineEdit, "launchProgram", tr("Program"))),
      arguments_(labelled(new QLineEdit, "launchArguments", tr("Arguments"))),
      folder_(labelled(new QLineEdit, "launchFolder", tr("Folder"))),
      environment_(labelled(new QPlainTextEdit, "launchEnvironment", tr("Environment"))),
      environmentBox_(new QWidget),
      fold_(labelled(new QToolButton, "foldEnvironment", tr("Show the environment"))),
      keepsEnvironment_(labelled(new QCheckBox(tr("Also save the &values when Highwater is closed")), "keepEnvironment",
                                 tr("Save the environment values"))),
      words_(new PlainLabel),
      former_(labelled(new QTreeWidget, "launchTargets", tr("Recently recorded"))),
      formerTitle_(new PlainLabel(tr("Recently recorded"))),
      note_(new MessageStrip) {
    setFocusProxy(program_);
    build();
    connectAll();
    showWords();
    followEnvironment();
    showFormer();
}

void LaunchForm::build() {
    program_->setPlaceholderText(tr("Path or name of a program, with or without arguments"));
    folder_->setPlaceholderText(tr("Current folder"));
    note_->setObjectName(QStringLiteral("launchNote"));
    words_->setObjectName(QStringLiteral("launchWords"));
    words_->setWordWrap(true);
    auto* browseProgram = browseButton(tr("&Browse…"), "browseProgram");
    auto* browseFolder = browseButton(tr("B&rowse…"), "browseFolder");
    connect(browseProgram, &QPushButton::clicked, this, [this] { browse(*program_, false); });
    connect(browseFolder, &QPushButton::clicked, this, [this] { browse(*folder_, true); });
    auto* column = new QVBoxLayout(this);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    cells_[int(Field::Program)] = addField(*form, tr("&Program"), sideBySideRow(program_, browseProgram), program_);
    cells_[int(Field::Arguments)] = addField(*form, tr("&Arguments"), arguments_, arguments_);
    cells_[int(Field::Arguments)]->addWidget(words_);
    cells_[int(Field::Folder)] = addField(*form, tr("F&older"), sideBySideRow(folder_, browseFolder), folder_);
    buildEnvironment();
    cells_[int(Field::Environment)] = addField(*form, {}, fold_, fold_);
    cells_[int(Field::Environment)]->addWidget(environmentBox_);
    column->addLayout(form);
    column->addWidget(note_);
    buildFormer();
    column->addWidget(formerTitle_);
    column->addWidget(former_, 1);
    column->addStretch(0); // takes the list's place while it is hidden
}

QVBoxLayout* LaunchForm::addField(QFormLayout& form, const QString& label, QWidget* first, QWidget* buddy) {
    auto* cell = new QWidget;
    auto* column = new QVBoxLayout(cell);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(first);
    form.addRow(label, cell);
    auto* row = form.itemAt(form.rowCount() - 1, QFormLayout::LabelRole);
    if (auto* text = row ? qobject_cast<QLabel*>(row->widget()) : nullptr) text->setBuddy(buddy);
    return column;
}

void LaunchForm::buildEnvironment() {
    environment_->setPlaceholderText(tr("NAME=value, one per line, in addition to the usual variables"));
    environment_->setTabChangesFocus(true);
    environment_->setFixedHeight(environment_->fontMetrics().lineSpacing() * kEnvironmentLines);
    keepsEnvironment_->setToolTip(tr("Save the values in your settings, which only you can read. Otherwise the "
                                     "values, which may be passwords, are discarded with this window."));
    fold_->setCheckable(true);
    fold_->setAutoRaise(true);
    fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* column = new QVBoxLayout(environmentBox_);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(environment_);
    column->addWidget(keepsEnvironment_);
}

void LaunchForm::buildFormer() {
    formerTitle_->setBuddy(former_);
    former_->setRootIsDecorated(false);
    former_->setUniformRowHeights(true);
    former_->setAllColumnsShowFocus(true);
    former_->setHeaderLabels({tr("Program"), tr("Arguments"), tr("Environment")});
    former_->setToolTip(tr("Click to use an entry, double-click to start it, press Delete to remove it from the "
                           "list."));
    former_->header()->setStretchLastSection(false);
    former_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    former_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    former_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    former_->header()->setMaximumSectionSize(fontMetrics().averageCharWidth() * 45);
    former_->installEventFilter(this);
}

void LaunchForm::connectAll() {
    for (const auto* field : {program_, arguments_, folder_}) {
        connect(field, &QLineEdit::textChanged, this, &LaunchForm::changed);
    }
    connect(environment_, &QPlainTextEdit::textChanged, this, &LaunchForm::changed);
    connect(environment_, &QPlainTextEdit::textChanged, this, &LaunchForm::followEnvironment);
    connect(fold_, &QToolButton::toggled, this, &LaunchForm::followEnvironment);
    connect(program_, &QLineEdit::editingFinished, this, &LaunchForm::followProgram);
    connect(arguments_, &QLineEdit::textChanged, this, &LaunchForm::showWords);
    connect(former_, &QTreeWidget::itemClicked, this,
            [this](QTreeWidgetItem* item) { useFormer(former_->indexOfTopLevelItem(item)); });
    connect(former_, &QTreeWidget::itemDoubleClicked, this,
            [this](QTreeWidgetItem* item) { startFormer(former_->indexOfTopLevelItem(item)); });
}

LaunchTarget LaunchForm::target() const {
    LaunchTarget target;
    target.program = program_->text().trimmed();
    target.arguments = arguments_->text();
    target.folder = folder_->text().trimmed();
    for (const auto& line : environment_->toPlainText().split(QLatin1Char('\n'))) {
        if (!line.trimmed().isEmpty()) target.environment << line.trimmed();
    }
    target.keepsEnvironment = keepsEnvironment_->isChecked();
    target.forgotten = forgotten_;
    for (const auto& line : target.environment)
        target.forgotten.removeAll(variableName(line));
    return target;
}

void LaunchForm::setTarget(const LaunchTarget& target) {
    forgotten_ = target.forgotten;
    program_->setText(target.program);
    arguments_->setText(target.arguments);
    folder_->setText(target.folder);
    environment_->setPlainText(target.environment.join(QLatin1Char('\n')));
    keepsEnvironment_->setChecked(target.keepsEnvironment);
    fold_->setChecked(!target.environment.isEmpty() || !target.forgotten.isEmpty());
    settingsProgram_ = target.program;
    isWrong_ = false;
    note_->hide();
    followEnvironment();
    showMissingValues();
}

void LaunchForm::showMissingValues() {
    if (!forgotten_.isEmpty()) note_->showMessage(missingValuesText(forgotten_), MessageStrip::Tone::Warning);
}

void LaunchForm::take(const LaunchTarget& target) {
    const auto before = this->target();
    if (before == target) return;
    setTarget(target);
    program_->setFocus();
    if (!before.program.isEmpty() && !targets_.contains(before))
        undoBy(tr("The entries for %1 were replaced.").arg(before.program), before);
}

void LaunchForm::undoBy(const QString& sentence, const LaunchTarget& before) {
    auto text = sentence;
    if (!forgotten_.isEmpty()) text += QLatin1Char(' ') + missingValuesText(forgotten_);
    const auto tone = forgotten_.isEmpty() ? MessageStrip::Tone::Plain : MessageStrip::Tone::Warning;
    note_->showMessage(text, tone, {tr("Undo"), [this, before] { setTarget(before); }});
}

bool LaunchForm::hasProgram() const { return !program_->text().trimmed().isEmpty(); }

void LaunchForm::settle() { followProgram(); }

/// After a failed start or an empty program, the other fields were meant for the new program. Arguments that were typed
/// after the program always are.
void LaunchForm::followProgram() {
    const auto typed = takeArguments();
    const auto before = target();
    const bool isSame = before.program.isEmpty() || before.program == settingsProgram_;
    const auto former = isSame ? settingsProgram_ : std::exchange(settingsProgram_, before.program);
    const bool isForIt = !isSame && (std::exchange(isWrong_, false) || former.isEmpty());
    const auto settings = settingsText(before);
    if (isSame || isForIt || settings.isEmpty()) {
        const auto others = isForIt ? before.arguments : QString();
        if (!typed.isEmpty()) arguments_->setText((typed + QLatin1Char(' ') + others).trimmed());
        return;
    }
    LaunchTarget alone;
    alone.program = before.program;
    alone.arguments = typed;
    setTarget(alone);
    const auto sentence = tr("Cleared the %1 of %2.").arg(settings, former);
    note_->showMessage(sentence, MessageStrip::Tone::Plain, {tr("Restore"), [this, before] {
                                                                 auto kept = before;
                                                                 kept.program = program_->text().trimmed();
                                                                 setTarget(kept);
                                                             }});
}

/// Reduces a command line in the program field to the program, and returns the arguments.
QString LaunchForm::takeArguments() {
    const auto text = program_->text().trimmed();
    const auto length = lengthOfProgram(text);
    if (length < 0) return {};
    program_->setText(text.left(length));
    return text.mid(length).trimmed();
}

void LaunchForm::followEnvironment() {
    const auto given = target();
    const auto count = given.environment.size();
    fold_->setText(!given.forgotten.isEmpty() ? tr("&Environment (%1 not saved)").arg(given.forgotten.size())
                   : count == 0               ? tr("&Environment")
                                              : tr("&Environment (%1)").arg(count));
    fold_->setArrowType(fold_->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    environmentBox_->setVisible(fold_->isChecked());
}

/// Shown in case of doubt: for quotes and backslashes.
void LaunchForm::showWords() {
    const auto line = arguments_->text();
    const auto words = commandWords(line);
    const bool isPlain = words.hasValue() && words.value().join(QLatin1Char(' ')) == line.simplified();
    words_->setVisible(!isPlain);
    if (!words.hasValue()) return words_->setSentence(toQString(words.error().message));
    QStringList shown;
    for (const auto& word : words.value())
        shown << QStringLiteral("[%1]").arg(lineText(word));
    words_->setSentence(tr("Passed as %1").arg(shown.join(QLatin1Char(' '))));
}

void LaunchForm::showProblem(MessageStrip& strip, Field field) {
    isWrong_ = true;
    if (field == Field::Environment) fold_->setChecked(true);
    if (field == Field::Arguments) words_->hide(); // both show the same error
    cells_[int(field)]->addWidget(&strip);
    QWidget* const widgets[] = {program_, arguments_, folder_, environment_};
    widgets[int(field)]->setFocus();
}

void LaunchForm::browse(QLineEdit& field, bool isFolder) {
    auto* dialog = new QFileDialog(this, isFolder ? tr("Folder to Run In") : tr("Program to Record"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(isFolder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, &field, &QLineEdit::setText);
    connect(dialog, &QFileDialog::fileSelected, this, &LaunchForm::followProgram);
    dialog->open();
}

void LaunchForm::setFormerTargets(const QList<LaunchTarget>& targets) {
    targets_ = targets;
    showFormer();
}

void LaunchForm::showFormer() {
    former_->clear();
    for (const auto& target : targets_) {
        auto* item = new QTreeWidgetItem(former_);
        item->setText(0, lineText(target.program));
        item->setText(1, lineText(target.arguments.left(kMostShownArguments)));
        item->setText(2, lineText(environmentText(target)));
        QStringList all{target.program + QLatin1Char(' ') + target.arguments};
        if (!target.folder.isEmpty()) all << tr("in %1").arg(target.folder);
        QStringList names;
        for (const auto& line : target.environment)
            names << variableName(line);
        if (!names.isEmpty()) all << tr("with the variables %1").arg(names.join(QStringLiteral(", ")));
        if (!target.forgotten.isEmpty())
            all << tr("with the variables %1, whose values were not saved")
                       .arg(target.forgotten.join(QStringLiteral(", ")));
        for (const auto column : {0, 1, 2}) {
            item->setToolTip(column, tooltipText(all.join(QLatin1Char('\n'))));
        }
    }
    former_->setVisible(!targets_.isEmpty());
    formerTitle_->setVisible(!targets_.isEmpty());
}

void LaunchForm::useFormer(int row) {
    if (row < 0 || row >= targets_.size()) return;
    const bool hadFocus = former_->hasFocus();
    take(targets_[row]);
    if (hadFocus) former_->setFocus(); // further keys belong to the list
}

/// Does not start without missing values, because the user may not want that; the button still does.
void LaunchForm::startFormer(int row) {
    useFormer(row);
    if (target().forgotten.isEmpty()) return emit startWanted();
    environment_->setFocus();
}

void LaunchForm::removeFormer(int row) {
    if (row < 0 || row >= targets_.size()) return;
    const auto before = targets_;
    const auto gone = targets_.takeAt(row);
    showFormer();
    if (!targets_.isEmpty())
        former_->setCurrentItem(former_->topLevelItem(std::min(row, static_cast<int>(targets_.size()) - 1)));
    emit formerTargetsChanged(targets_);
    note_->showMessage(tr("%1 was removed from the list.").arg(gone.program), MessageStrip::Tone::Plain,
                       {tr("Undo"), [this, before] {
                            setFormerTargets(before);
                            note_->hide();
                            emit formerTargetsChanged(targets_);
                        }});
}

bool LaunchForm::eventFilter(QObject* watched, QEvent* event) {
    if (watched != former_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto key = static_cast<const QKeyEvent*>(event)->key();
    const auto row = former_->indexOfTopLevelItem(former_->currentItem());
    if (key == Qt::Key_Delete) {
        removeFormer(row);
        return true;
    }
    if (key == Qt::Key_Space) {
        useFormer(row);
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        startFormer(row);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace highwater::ui

#include "moc_launch_form.cpp"
