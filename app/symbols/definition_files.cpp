#include "app/symbols/definition_files.h"

#include "core/analysis/tags/xml_tree.h"

#include <QFile>
#include <QFileInfo>
#include <QWidget>

#include <utility>

namespace highwater::app {

DefinitionFiles::DefinitionFiles(Kind kind, QWidget& window)
    : QObject(&window),
      kind_(std::move(kind)),
      window_(window),
      action_(new QAction(kind_.action, this)),
      files_(kind_.stored()) {
    action_->setObjectName(kind_.words.name);
    connect(action_, &QAction::triggered, this, &DefinitionFiles::show);
    read();
}

void DefinitionFiles::show() {
    if (!dialog_) {
        dialog_ = new ui::FileListDialog(kind_.words, &window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        dialog_->setFiles(files_);
        dialog_->setProblems(problems_);
        connect(dialog_, &ui::FileListDialog::changed, this, &DefinitionFiles::change);
        connect(dialog_, &ui::FileListDialog::reloadWanted, this, &DefinitionFiles::read);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void DefinitionFiles::change(const QStringList& files) {
    kind_.store(files);
    files_ = files;
    read();
}

void DefinitionFiles::take(const QStringList& files) {
    if (files == files_) return;
    files_ = files;
    if (dialog_) dialog_->setFiles(files_);
    read();
}

void DefinitionFiles::useInstead(const QStringList& files) { take(files); }

void DefinitionFiles::useOwn() { take(kind_.stored()); }

const QStringList& DefinitionFiles::add(const QStringList& files) {
    auto all = files_;
    for (const auto& file : files)
        if (!all.contains(file)) all << file;
    if (dialog_) dialog_->setFiles(all);
    change(all);
    return problems_;
}

void DefinitionFiles::read() {
    std::vector<File> files;
    problems_.clear();
    inUse_.clear();
    for (const auto& path : files_) {
        File read{path, QFileInfo(path).fileName(), {}};
        if (path != ui::FileListDialog::builtInEntry()) {
            QFile file(path);
            const bool isFile = QFileInfo(path).isFile();
            if (!isFile || !file.open(QIODevice::ReadOnly)) {
                problems_ << tr("%1 cannot be read: %2.")
                                 .arg(read.name, isFile ? file.errorString() : tr("the file does not exist"));
                continue;
            }
            read.bytes = file.read(static_cast<qint64>(analysis::kMostXmlBytes) + 1);
        }
        inUse_ << path;
        files.push_back(std::move(read));
    }
    problems_ << kind_.use(files);
    if (dialog_) dialog_->setProblems(problems_);
}

} // namespace highwater::app

#include "moc_definition_files.cpp"
