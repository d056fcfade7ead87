#include "app/settings/theme_icons.h"

namespace highwater::app {

std::optional<ui::LineIcon> lineIconOf(QStyle::StandardPixmap pixmap) {
    using ui::LineIcon;
    switch (pixmap) {
    case QStyle::SP_TitleBarCloseButton:
    case QStyle::SP_DockWidgetCloseButton:
    case QStyle::SP_LineEditClearButton:
    case QStyle::SP_TabCloseButton:
        return LineIcon::Close;
    case QStyle::SP_TitleBarNormalButton:
        return LineIcon::Float;
    case QStyle::SP_ToolBarHorizontalExtensionButton:
    case QStyle::SP_ToolBarVerticalExtensionButton:
        return LineIcon::More;
    case QStyle::SP_CommandLink:
    case QStyle::SP_ArrowForward:
    case QStyle::SP_ArrowRight:
        return LineIcon::Forward;
    case QStyle::SP_FileDialogBack:
    case QStyle::SP_ArrowBack:
    case QStyle::SP_ArrowLeft:
        return LineIcon::Back;
    case QStyle::SP_FileDialogToParent:
    case QStyle::SP_ArrowUp:
        return LineIcon::Up;
    case QStyle::SP_ArrowDown:
        return LineIcon::Down;
    case QStyle::SP_FileDialogNewFolder:
        return LineIcon::NewFolder;
    case QStyle::SP_FileDialogDetailedView:
        return LineIcon::TableOnly;
    case QStyle::SP_FileDialogListView:
        return LineIcon::Lifetimes;
    case QStyle::SP_DirIcon:
    case QStyle::SP_DirOpenIcon:
    case QStyle::SP_DirClosedIcon:
    case QStyle::SP_DirLinkIcon:
    case QStyle::SP_DirHomeIcon:
    case QStyle::SP_ComputerIcon:
    case QStyle::SP_DesktopIcon:
    case QStyle::SP_DriveHDIcon:
    case QStyle::SP_DriveNetIcon:
    case QStyle::SP_DriveCDIcon:
        return LineIcon::Open;
    case QStyle::SP_FileIcon:
    case QStyle::SP_FileLinkIcon:
        return LineIcon::File;
    case QStyle::SP_MessageBoxInformation:
        return LineIcon::Info;
    case QStyle::SP_MessageBoxQuestion:
        return LineIcon::Question;
    case QStyle::SP_MessageBoxWarning:
    case QStyle::SP_MessageBoxCritical:
        return LineIcon::Warning;
    default:
        return std::nullopt;
    }
}

} // namespace highwater::app
