#pragma once

#include "ui/view/symbols/file_list_dialog.h"

#include <QAction>
#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QStringList>

#include <functional>
#include <vector>

namespace highwater::app {

/// An ordered list of definition files chosen by the user. It is stored between runs, and the files are read at
/// startup, after changes and on reload. Provides the action that opens the list. GUI thread only; reads a bounded part
/// of each file.
class DefinitionFiles : public QObject {
    Q_OBJECT
  public:
    /// The built-in entry has only a path, FileListDialog::builtInEntry().
    struct File {
        QString path;
        QString name; ///< without folders
        QByteArray bytes;
    };
    struct Kind {
        QString action; ///< the menu text; words.name is the action's object name
        ui::FileListDialog::Words words;
        std::function<QStringList()> stored;
        std::function<void(const QStringList& files)> store;
        /// Takes the content of the files; returns error messages about them.
        std::function<QStringList(const std::vector<File>& files)> use;
    };

    /// Reads the files at once. The objects that the kind refers to, and the window, must outlive this object.
    DefinitionFiles(Kind kind, QWidget& window);

    [[nodiscard]] QAction* action() const { return action_; }
    /// Error messages of the last read.
    [[nodiscard]] const QStringList& problems() const { return problems_; }

    /// In order, from either list.
    [[nodiscard]] const QStringList& files() const { return files_; }
    /// Uses a session's list instead of the user's own, which stays stored until useOwn().
    void useInstead(const QStringList& files);
    void useOwn();
    /// Appends files to the user's list. Returns error messages about them.
    const QStringList& add(const QStringList& files);
    /// The files that were read, in order.
    [[nodiscard]] const QStringList& filesInUse() const { return inUse_; }

  private:
    void show();
    void change(const QStringList& files);
    void read();
    void take(const QStringList& files);

    Kind kind_;
    QWidget& window_;
    QAction* action_;
    QStringList files_;
    QStringList problems_;
    QStringList inUse_;
    QPointer<ui::FileListDialog> dialog_;
};

} // namespace highwater::app
