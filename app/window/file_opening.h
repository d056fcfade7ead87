#pragma once

#include <QObject>
#include <QStringList>

class QMimeData;
class QWidget;

namespace highwater::app {

class AnalysisSettings;
class ProfileController;
class SessionController;

/// Opens files of all supported kinds: passes each to the reader of its kind, and asks the user for files. Owned by the
/// window. GUI thread only.
class FileOpening : public QObject {
    Q_OBJECT
  public:
    /// Readers of files that are not traces. All must outlive this object.
    struct Readers {
        SessionController& sessions;
        ProfileController& profiles;
        AnalysisSettings& definitions; ///< for stack tags and suppressions
    };
    FileOpening(const Readers& readers, QWidget& window);

    /// Returns false if there is nothing to show, for example only presets.
    bool open(const QStringList& paths);
    void ask();
    /// Files that are being dragged.
    [[nodiscard]] static QStringList filesOf(const QMimeData& dragged);

  signals:
    /// Several files make one trace.
    void traceWanted(const QStringList& paths);
    void fleetWanted(const QString& path);

  private:
    Readers readers_;
    QWidget& window_;
};

} // namespace highwater::app
