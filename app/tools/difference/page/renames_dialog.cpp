#include "app/tools/difference/page/renames_dialog.h"

#include "ui/format/plain_text.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/row_height.h"
#include "ui/view/access/trace_guard.h"
#include "ui/view/parts/plain_widgets.h"

#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QSaveFile>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace highwater::ui {
namespace {

constexpr qint64 kMostBytes = 16 << 20; ///< maximum file size; larger files are not renames

QPushButton* makeRenameButton(const char* name, const QString& text, const QString& words) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tooltipText(words));
    button->setAutoDefault(false);
    return button;
}

} // namespace

RenamesDialog::RenamesDialog(const analysis::Renames& renames, std::vector<analysis::SuggestedRename> suggestions,
                             QWidget* parent)
    : QDialog(parent),
      suggestions_(std::move(suggestions)),
      table_(new QTableWidget(0, 2)),
      problem_(new PlainLabel),
      suggest_(makeRenameButton("renamesSuggest", tr("Add S&uggestions"),
                                tr("Add items that exist on only one side and may be the same, most likely first"))) {
    build();
    fill(renames);
}

void RenamesDialog::build() {
    setObjectName(QStringLiteral("renamesDialog"));
    setWindowTitle(tr("Renames"));
    auto* words = new PlainLabel(
        tr("Renamed programs or modules (old.exe) and functions (module!function). Both names are compared as one."));
    words->setWordWrap(true);
    table_->setObjectName(QStringLiteral("renamesTable"));
    table_->setAccessibleName(tr("Renames"));
    table_->setHorizontalHeaderLabels({tr("Before"), tr("After")});
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    useOneRowHeight(*table_);
    table_->verticalHeader()->hide();
    table_->setTabKeyNavigation(false);
    problem_->setObjectName(QStringLiteral("renamesProblem"));
    problem_->setWordWrap(true);
    problem_->hide();
    auto* middle = new QHBoxLayout;
    middle->addWidget(table_, 1);
    middle->addLayout(makeButtons());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words);
    layout->addLayout(middle, 1);
    layout->addWidget(problem_);
    layout->addWidget(buttons);
    resize(680, 360);
    connect(buttons, &QDialogButtonBox::accepted, this, &RenamesDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &RenamesDialog::reject);
}

QVBoxLayout* RenamesDialog::makeButtons() {
    auto* add = makeRenameButton("renamesAdd", tr("&Add"), tr("Add a line"));
    auto* remove = makeRenameButton("renamesRemove", tr("&Remove"), tr("Remove the selected lines"));
    auto* read = makeRenameButton("renamesRead", tr("&Load…"), tr("Add lines of the form old = new from a file"));
    auto* write = makeRenameButton("renamesWrite", tr("&Save As…"), tr("Save for highwater-cli diff --renames FILE"));
    suggest_->setEnabled(!suggestions_.empty());
    auto* side = new QVBoxLayout;
    for (auto* button : {add, remove, suggest_, read, write})
        side->addWidget(button);
    side->addStretch();
    connect(add, &QPushButton::clicked, this, [this] {
        addLine({}, {});
        table_->setCurrentCell(table_->rowCount() - 1, 0);
        table_->editItem(table_->currentItem());
    });
    connect(remove, &QPushButton::clicked, this, &RenamesDialog::removeLines);
    connect(suggest_, &QPushButton::clicked, this, &RenamesDialog::addSuggestions);
    connect(read, &QPushButton::clicked, this, [this] { askForFile(true); });
    connect(write, &QPushButton::clicked, this, [this] { askForFile(false); });
    return side;
}

void RenamesDialog::fill(const analysis::Renames& renames) {
    for (const auto& line : renames.lines())
        addLine(toQString(line.before), toQString(line.after));
}

void RenamesDialog::addLine(const QString& before, const QString& after) {
    const auto row = table_->rowCount();
    table_->insertRow(row);
    for (const auto& [column, text] : {std::pair{0, before}, std::pair{1, after}}) {
        auto* item = new QTableWidgetItem(text);
        item->setToolTip(tooltipText(text));
        table_->setItem(row, column, item);
    }
}

void RenamesDialog::removeLines() {
    QList<int> rows;
    for (const auto& index : table_->selectionModel()->selectedIndexes())
        if (!rows.contains(index.row())) rows << index.row();
    std::sort(rows.begin(), rows.end(), std::greater<>());
    for (const auto row : rows)
        table_->removeRow(row);
}

void RenamesDialog::addSuggestions() {
    for (const auto& suggestion : suggestions_) {
        const auto before = toQString(suggestion.before);
        const auto same = table_->findItems(before, Qt::MatchFixedString);
        const bool isThere =
            std::any_of(same.begin(), same.end(), [](const auto* item) { return item->column() == 0; });
        if (!isThere) addLine(before, toQString(suggestion.after));
    }
}

void RenamesDialog::askForFile(bool isToRead) {
    auto* dialog = new QFileDialog(this, isToRead ? tr("Load Renames") : tr("Save Renames"), {},
                                   tr("Renames (*.txt);;All files (*)"));
    dialog->setObjectName(QStringLiteral("renamesFileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(isToRead ? QFileDialog::ExistingFile : QFileDialog::AnyFile);
    dialog->setAcceptMode(isToRead ? QFileDialog::AcceptOpen : QFileDialog::AcceptSave);
    if (!isToRead) dialog->setDefaultSuffix(QStringLiteral("txt"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, isToRead](const QString& file) { isToRead ? readFrom(file) : writeTo(file); });
    dialog->open();
}

void RenamesDialog::readFrom(const QString& path) {
    QFile file(path);
    // Reading a pipe would block.
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly) || file.size() > kMostBytes)
        return complain(tr("%1 cannot be read, or is too large for a list of renames.").arg(path));
    const auto parsed = analysis::Renames::parse(file.readAll().toStdString());
    if (!parsed.hasValue()) return complain(toQString(parsed.error().message));
    problem_->hide();
    fill(parsed.value());
}

void RenamesDialog::writeTo(const QString& path) {
    const auto lines = typed();
    if (!lines) return;
    if (const auto why = traceOverwriteRefusal(path); !why.isEmpty()) return complain(why);
    QSaveFile file(path);
    const auto text = QByteArray::fromStdString(lines->text());
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        complain(tr("%1 cannot be written: %2.").arg(path, file.errorString()));
}

void RenamesDialog::complain(const QString& sentence) {
    problem_->setSentence(sentence);
    problem_->show();
}

std::optional<analysis::Renames> RenamesDialog::typed() {
    analysis::Renames renames;
    for (int row = 0; row < table_->rowCount(); ++row) {
        const auto text = [&](int column) {
            const auto* item = table_->item(row, column);
            return item == nullptr ? QString() : item->text().trimmed();
        };
        if (text(0).isEmpty() && text(1).isEmpty()) continue;
        const auto added = renames.add(text(0).toStdString(), text(1).toStdString());
        if (added.hasValue()) continue;
        table_->setCurrentCell(row, 0);
        complain(tr("Line %1: %2.").arg(row + 1).arg(toQString(added.error().message)));
        return std::nullopt;
    }
    problem_->hide();
    return renames;
}

void RenamesDialog::keyPressEvent(QKeyEvent* event) {
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && table_->isAncestorOf(focusWidget())) return event->accept();
    QDialog::keyPressEvent(event);
}

void RenamesDialog::accept() {
    auto lines = typed();
    if (!lines) return;
    renames_ = *std::move(lines);
    QDialog::accept();
}

} // namespace highwater::ui

#include "moc_renames_dialog.cpp"
