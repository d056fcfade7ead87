#include "app/symbols/definition_files.h"

#include "core/analysis/tags/xml_tree.h"

#include <QFile>
#include <QFileInfo>
#include <QWidget>

#include <utility>

namespace highwater::app {

DefinitionFiles::DefinitionFiles(Kind kind, QWidget& window)
    : QObject(&window), kind_(std::move(kind)), window_(window), action_(new QAction(kind_.action, this)) {
    action_->setObjectName(kind_.words.name);
    connect(action_, &QAction::triggered, this, &DefinitionFiles::show);
    read();
}

void DefinitionFiles::show() {
    if (!dialog_) {
        dialog_ = new ui::FileListDialog(kind_.words, &window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        dialog_->setFiles(kind_.stored());
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
    read();
}

void DefinitionFiles::read() {
    std::vector<File> files;
    problems_.clear();
    for (const auto& path : kind_.stored()) {
        File read{path, QFileInfo(path).fileName(), {}};
        if (path != ui::FileListDialog::builtInEntry()) {
            QFile file(path);
            const bool isFile = QFileInfo(path).isFile();
            if (!isFile || !file.open(QIODevice::ReadOnly)) {
                problems_ << tr("%1 cannot be read: %2.")
                                 .arg(read.name, isFile ? file.errorString() : tr("there is no such file"));
                continue;
            }
            read.bytes = file.read(static_cast<qint64>(analysis::kMostXmlBytes) + 1);
        }
        files.push_back(std::move(read));
    }
    problems_ << kind_.use(files);
    if (dialog_) dialog_->setProblems(problems_);
}

} // namespace highwater::app
