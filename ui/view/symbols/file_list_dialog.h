#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

class QLabel;
class QListWidget;
class QPushButton;

namespace highwater::ui {

/// Which files something is read from, in an order that counts: add, remove, move, read again. One entry may stand for
/// what the program brings along. What is wrong with files is told below the list. Stands beside the window, never
/// modal. GUI thread only.
class FileListDialog : public QDialog {
    Q_OBJECT
  public:
    struct Words {
        QString name; ///< of the object: "stackTags" makes stackTagsDialog, stackTagsFiles ...
        QString title;
        QString what;    ///< what the files are for, and what their order means
        QString filter;  ///< of the dialog that looks for files
        QString builtIn; ///< how the entry reads that is no file; empty: there is none
    };
    /// The entry of the list that is no file.
    static QString builtInEntry() { return QStringLiteral("built-in"); }

    explicit FileListDialog(const Words& words, QWidget* parent = nullptr);

    /// As the list is now; emits nothing.
    void setFiles(const QStringList& files);
    [[nodiscard]] QStringList files() const;
    /// Sentences; empty: all files were read.
    void setProblems(const QStringList& sentences);
    /// Behind the others; one that is there stays where it is.
    void addFiles(const QStringList& files);

  signals:
    /// The user changed the list.
    void changed(const QStringList& files);
    /// The same files are to be read again.
    void reloadWanted();

  private:
    void build(const Words& words);
    QPushButton* button(const QString& text, const QString& name, void (FileListDialog::*act)());
    void append(const QString& file);
    void askForFiles();
    void addBuiltIn();
    void removeCurrent();
    void moveUp() { move(-1); }
    void moveDown() { move(1); }
    void move(int by);
    void reload();
    void enableButtons();

    Words words_;
    QListWidget* list_;
    QLabel* problems_;
    QPushButton* builtIn_ = nullptr; ///< null: there is no such entry
    QPushButton* remove_ = nullptr;
    QPushButton* up_ = nullptr;
    QPushButton* down_ = nullptr;
    QPushButton* reload_ = nullptr;
};

} // namespace highwater::ui
