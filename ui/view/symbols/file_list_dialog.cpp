#include "ui/view/symbols/file_list_dialog.h"

#include "ui/format/plain_text.h"
#include "ui/view/parts/plain_widgets.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QListWidget>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace highwater::ui {
namespace {

constexpr QSize kFileListSize{560, 360};
constexpr int kFileRole = Qt::UserRole;

} // namespace

FileListDialog::FileListDialog(const Words& words, QWidget* parent)
    : QDialog(parent), words_(words), list_(new QListWidget), problems_(new PlainLabel) {
    build(words);
    connect(list_, &QListWidget::currentRowChanged, this, &FileListDialog::enableButtons);
    enableButtons();
}

QPushButton* FileListDialog::button(const QString& text, const QString& name, void (FileListDialog::*act)()) {
    auto* made = new QPushButton(text);
    made->setObjectName(words_.name + name);
    made->setAutoDefault(false);
    connect(made, &QPushButton::clicked, this, act);
    return made;
}

void FileListDialog::build(const Words& words) {
    setObjectName(words.name + QStringLiteral("Dialog"));
    setWindowTitle(words.title);
    setModal(false);
    resize(kFileListSize);
    auto* what = new PlainLabel(words.what);
    what->setWordWrap(true);
    list_->setObjectName(words.name + QStringLiteral("Files"));
    list_->setAccessibleName(words.title);
    list_->setTextElideMode(Qt::ElideMiddle);
    problems_->setObjectName(words.name + QStringLiteral("Problems"));
    problems_->setWordWrap(true);
    problems_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    problems_->hide();

    auto* side = new QVBoxLayout;
    side->addWidget(button(tr("&Add…"), QStringLiteral("Add"), &FileListDialog::askForFiles));
    if (!words.builtIn.isEmpty()) {
        builtIn_ = button(tr("Add &Built-In"), QStringLiteral("AddBuiltIn"), &FileListDialog::addBuiltIn);
        side->addWidget(builtIn_);
    }
    remove_ = button(tr("&Remove"), QStringLiteral("Remove"), &FileListDialog::removeCurrent);
    auto* removes = new QShortcut(QKeySequence::Delete, list_);
    removes->setContext(Qt::WidgetShortcut);
    connect(removes, &QShortcut::activated, this, &FileListDialog::removeCurrent);
    remove_->setToolTip(tr("Remove the entry from the list (Del); the file is not deleted"));
    up_ = button(tr("Move &Up"), QStringLiteral("Up"), &FileListDialog::moveUp);
    down_ = button(tr("Move &Down"), QStringLiteral("Down"), &FileListDialog::moveDown);
    reload_ = button(tr("Re&load"), QStringLiteral("Reload"), &FileListDialog::reload);
    for (auto* each : {remove_, up_, down_, reload_})
        side->addWidget(each);
    side->addStretch(1);

    auto* middle = new QHBoxLayout;
    middle->addWidget(list_, 1);
    middle->addLayout(side);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what);
    layout->addLayout(middle, 1);
    layout->addWidget(problems_);
    layout->addWidget(buttons);
}

void FileListDialog::append(const QString& file) {
    const bool isBuiltIn = file == builtInEntry();
    auto* item = new QListWidgetItem(isBuiltIn ? words_.builtIn : lineText(QDir::toNativeSeparators(file)));
    item->setData(kFileRole, file);
    if (!isBuiltIn) item->setToolTip(tooltipText(QDir::toNativeSeparators(file)));
    list_->addItem(item);
}

void FileListDialog::setFiles(const QStringList& files) {
    list_->clear();
    for (const auto& file : files)
        append(file);
    enableButtons();
}

QStringList FileListDialog::files() const {
    QStringList files;
    for (int i = 0; i < list_->count(); ++i)
        files << list_->item(i)->data(kFileRole).toString();
    return files;
}

void FileListDialog::setProblems(const QStringList& sentences) {
    problems_->setText(wrappingText(sentences.join(QLatin1Char('\n'))));
    problems_->setVisible(!sentences.isEmpty());
}

void FileListDialog::addFiles(const QStringList& files) {
    const auto before = this->files();
    for (const auto& file : files)
        if (!before.contains(file)) append(file);
    if (list_->count() == before.size()) return;
    list_->setCurrentRow(list_->count() - 1);
    emit changed(this->files());
}

void FileListDialog::askForFiles() {
    auto* dialog = new QFileDialog(this, words_.title, {}, words_.filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(words_.name + QStringLiteral("From"));
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &FileListDialog::addFiles);
    dialog->open();
}

void FileListDialog::addBuiltIn() { addFiles({builtInEntry()}); }

void FileListDialog::removeCurrent() {
    if (list_->currentRow() < 0) return;
    delete list_->currentItem();
    enableButtons();
    emit changed(files());
}

void FileListDialog::move(int by) {
    const auto row = list_->currentRow();
    const auto to = row + by;
    if (row < 0 || to < 0 || to >= list_->count()) return;
    list_->insertItem(to, list_->takeItem(row));
    list_->setCurrentRow(to);
    emit changed(files());
}

void FileListDialog::reload() { emit reloadWanted(); }

void FileListDialog::enableButtons() {
    const auto row = list_->currentRow();
    if (builtIn_ != nullptr) builtIn_->setEnabled(!files().contains(builtInEntry()));
    remove_->setEnabled(row >= 0);
    up_->setEnabled(row > 0);
    down_->setEnabled(row >= 0 && row + 1 < list_->count());
    reload_->setEnabled(list_->count() > 0);
}

} // namespace highwater::ui

#include "moc_file_list_dialog.cpp"
